import { type AgentLoopOptions, type AgentRun, createRun } from "./agent-run.ts";
import { hasOnlyBrokenCalls, MAX_ANSWERS_WITH_BROKEN_CALLS } from "./broken-calls.ts";
import type { AgentEvent } from "./events.ts";
import { runHook } from "./hook-runner.ts";
import type { AgentMessage } from "./messages.ts";
import { runTurn, type Turn } from "./run-turn.ts";
import { isAnswered } from "./transcript.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * How a run ended.
 *
 * `done`: nothing was left to do. `stopped`: a stop condition, or three answers in a row whose calls came cut or garbled.
 * `failed`: the last answer broke. `aborted`: on request.
 * Only `done` empties the queues; otherwise what is queued stays queued.
 */
export type RunOutcome = "done" | "stopped" | "failed" | "aborted";

/**
 * Runs turns until there is nothing left to do, as a sequence of events.
 *
 * The consumer holds the loop: it goes on when the next event is asked for, and leaving early aborts what runs. What
 * goes wrong with the model, a tool or a hook ends up in the transcript; only a stop condition that throws comes out.
 */
export async function* runAgentLoop(
  options: AgentLoopOptions,
  prompts: readonly AgentMessage[] = [],
): AsyncGenerator<AgentEvent, RunOutcome, void> {
  const { run, abandon } = createRun(options);
  yield { type: "agent_start" };
  let isLeft = true;
  try {
    const outcome = yield* runTurns(run, prompts);
    isLeft = false;
    yield { type: "agent_end", messages: run.added };
    return outcome;
  } catch (error) {
    isLeft = false;
    yield { type: "agent_end", messages: run.added };
    throw error;
  } finally {
    if (isLeft) abandon();
  }
}

async function* runTurns(
  run: AgentRun,
  prompts: readonly AgentMessage[],
): AsyncGenerator<AgentEvent, RunOutcome, void> {
  let entering = firstMessages(run, prompts);
  let turnIndex = 0;
  let brokenAnswers = 0;
  while (true) {
    let turn: Turn;
    do {
      if (entering.length > 0) brokenAnswers = 0;
      turn = yield* runTurn(run, turnIndex++, entering);
      const ended = await endedBy(run, turn);
      if (ended !== undefined) return ended;
      brokenAnswers = hasOnlyBrokenCalls(turn.message) ? brokenAnswers + 1 : 0;
      if (brokenAnswers === MAX_ANSWERS_WITH_BROKEN_CALLS) return "stopped";
      entering = run.steering.take();
    } while (turn.wantsMore || entering.length > 0);
    entering = run.followUp.take();
    if (entering.length === 0) return "done";
  }
}

/**
 * What enters the first turn. Without a prompt an answered transcript goes on with whatever is queued.
 *
 * After an abort only the prompt enters: a queued message must not be used up by a turn that asks nothing.
 */
function firstMessages(run: AgentRun, prompts: readonly AgentMessage[]): readonly AgentMessage[] {
  if (run.signal.aborted) return prompts;
  const entering = [...prompts, ...run.steering.take()];
  return entering.length === 0 && isAnswered(run.state.messages) ? run.followUp.take() : entering;
}

/** What ends the run after this turn; undefined = it goes on, and the next turn is prepared. */
async function endedBy(run: AgentRun, turn: Turn): Promise<RunOutcome | undefined> {
  if (run.signal.aborted) return "aborted";
  if (turn.failed) return "failed";
  try {
    if (await shouldStop(run, turn)) return "stopped";
    if (turn.wantsMore || run.steering.size > 0 || run.followUp.size > 0) await prepareNextTurn(run);
  } catch (error) {
    if (!run.signal.aborted) throw error;
  }
  return run.signal.aborted ? "aborted" : undefined;
}

async function shouldStop(run: AgentRun, turn: Turn): Promise<boolean> {
  const { turnIndex, message, toolResults } = turn;
  const finished = { turnIndex, message, toolResults };
  if (await run.stopWhen?.(finished)) return true;
  const answer = runHook(run.hooks, "shouldStopAfterTurn", finished, run.signal);
  return (await untilAborted(answer, run.signal)) === true;
}

async function prepareNextTurn(run: AgentRun): Promise<void> {
  const { state } = run;
  const { messages, model, thinkingLevel } = state;
  const draft = { messages, systemPrompt: run.systemPrompt(), model, thinkingLevel };
  const next = await untilAborted(runHook(run.hooks, "prepareNextTurn", draft, run.signal), run.signal);
  if (next.messages !== messages) state.messages = next.messages;
  if (next.systemPrompt !== draft.systemPrompt) state.systemPrompt = next.systemPrompt;
  if (next.model !== model) state.model = next.model;
  if (next.thinkingLevel !== thinkingLevel) state.thinkingLevel = next.thinkingLevel;
}
