import { createPlan } from "./grammar.ts";
import type { AgentOutcome } from "./report.ts";
import { runSession, type SessionOutcome } from "./run-session.ts";
import type { SubjectKind } from "./subject.ts";

export interface EvalOptions {
  readonly kinds: readonly SubjectKind[];
  readonly sessions: number;
  /** Of each session, at least. */
  readonly compactions: number;
  /** Of the first session; the others count on. */
  readonly seed: number;
  /** Told when a session is done; awaited. */
  readonly onSession?: (agent: string, done: number) => Promise<void>;
  readonly signal?: AbortSignal;
  /** Takes what must be done where the process ends while a session is lived through: its folder goes. */
  readonly onExit?: (cleanUp: () => void) => void;
}

/**
 * Lives the same sessions through with every agent, one after the other. What an agent lived through before it failed
 * counts, and the others go on. Rejects before anything is run where an agent is not there, and when it is stopped.
 */
export async function runEval(options: EvalOptions): Promise<readonly AgentOutcome[]> {
  for (const kind of options.kinds) await kind.check?.();
  const outcomes: AgentOutcome[] = [];
  for (const kind of options.kinds) outcomes.push(await outcomeOf(kind, options));
  return outcomes;
}

async function outcomeOf(kind: SubjectKind, options: EvalOptions): Promise<AgentOutcome> {
  const { sessions: count, compactions, seed, signal, onExit } = options;
  const ending = { ...(signal === undefined ? {} : { signal }), ...(onExit === undefined ? {} : { onExit }) };
  const sessions: SessionOutcome[] = [];
  try {
    for (let at = 0; at < count; at++) {
      const plan = createPlan(seed + at);
      sessions.push(await runSession({ kind, plan, compactions, ...ending }));
      await options.onSession?.(kind.name, at + 1);
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    return { agent: kind.name, sessions, failure: error instanceof Error ? error.message : String(error) };
  }
  return { agent: kind.name, sessions };
}
