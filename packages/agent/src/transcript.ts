import { type AssistantMessage, addUsage, textOf, type Usage, ZERO_USAGE } from "@coppice/ai";
import { isFailed } from "./failed-answer.ts";
import type { AgentMessage } from "./messages.ts";

/**
 * True when the model has had the last word, or what stands after it asks nothing: the summary of a branch that was left.
 *
 * Answers that failed do not count, so a run may go on after them.
 */
export function isAnswered(messages: readonly AgentMessage[]): boolean {
  const last = messages.findLast(
    (message) => message.role !== "branchSummary" && (message.role !== "assistant" || !isFailed(message)),
  );
  return last === undefined || last.role === "assistant";
}

/** The latest answer with text that neither failed nor was aborted. */
export function lastAnswer(messages: readonly AgentMessage[]): AssistantMessage | undefined {
  const found = messages.findLast(
    (message) => message.role === "assistant" && !isFailed(message) && textOf(message.content) !== "",
  );
  return found as AssistantMessage | undefined;
}

/**
 * What a transcript cost: its answers, failed ones included, and the model calls that its tools made themselves.
 *
 * A tool that runs an agent of its own gives `usage: totalUsage(inner.state.messages)`: totals then hold at any depth.
 */
export function totalUsage(messages: readonly AgentMessage[]): Usage {
  return messages.reduce<Usage>((total, message) => {
    const isPaid = message.role === "assistant" || message.role === "toolResult";
    return isPaid && message.usage !== undefined ? addUsage(total, message.usage) : total;
  }, ZERO_USAGE);
}
