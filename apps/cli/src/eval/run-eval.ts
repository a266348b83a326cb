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
}

/** Lives the same sessions through with every agent, one after the other. Rejects when an agent fails in a turn. */
export async function runEval(options: EvalOptions): Promise<readonly AgentOutcome[]> {
  const { kinds, sessions: count, compactions, seed, signal } = options;
  const outcomes: AgentOutcome[] = [];
  for (const kind of kinds) {
    const sessions: SessionOutcome[] = [];
    for (let at = 0; at < count; at++) {
      const plan = createPlan(seed + at);
      sessions.push(
        await runSession({ kind, plan, compactions, ...(signal === undefined ? {} : { signal }) }),
      );
      await options.onSession?.(kind.name, at + 1);
    }
    outcomes.push({ agent: kind.name, sessions });
  }
  return outcomes;
}
