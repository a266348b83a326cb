import type { AssistantMessage, ToolResultMessage } from "@coppice/ai";
import type { AgentRun } from "./agent-run.ts";
import type { AgentEvent } from "./events.ts";
import { isFailed } from "./failed-answer.ts";
import type { AgentMessage } from "./messages.ts";
import { recordMessage } from "./record-message.ts";
import { runTools } from "./run-tools.ts";
import { streamAnswer } from "./stream-answer.ts";

export interface Turn {
  readonly turnIndex: number;
  readonly message: AssistantMessage;
  readonly toolResults: readonly ToolResultMessage[];
  readonly failed: boolean;
  /** The model has results that it has not seen and that do not end the run. */
  readonly wantsMore: boolean;
}

/** One turn: the messages that enter it, one model call, an answer to each tool call, then what was said aside. */
export async function* runTurn(
  run: AgentRun,
  turnIndex: number,
  entering: readonly AgentMessage[],
): AsyncGenerator<AgentEvent, Turn, void> {
  yield { type: "turn_start", turnIndex };
  for (const message of entering) yield* recordMessage(run, message);
  const answer = yield* streamAnswer(run);
  const { results, terminate } = yield* runTools(run, answer);
  for (const message of run.asides.clear()) yield* recordMessage(run, message);
  yield { type: "turn_end", turnIndex, message: answer.message, toolResults: results };
  return {
    turnIndex,
    message: answer.message,
    toolResults: results,
    failed: isFailed(answer.message),
    wantsMore: results.length > 0 && !terminate,
  };
}
