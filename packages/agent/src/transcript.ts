import { type AssistantMessage, textOf } from "@coppice/ai";
import { isFailed } from "./failed-answer.ts";
import type { AgentMessage } from "./messages.ts";

/** True when the model has had the last word; answers that failed do not count, so a run may go on after them. */
export function isAnswered(messages: readonly AgentMessage[]): boolean {
  const last = messages.findLast((message) => message.role !== "assistant" || !isFailed(message));
  return last === undefined || last.role === "assistant";
}

/** The latest answer with text that neither failed nor was aborted. */
export function lastAnswer(messages: readonly AgentMessage[]): AssistantMessage | undefined {
  const found = messages.findLast(
    (message) => message.role === "assistant" && !isFailed(message) && textOf(message.content) !== "",
  );
  return found as AssistantMessage | undefined;
}
