import {
  type AssistantMessage,
  type ChatRequest,
  failureEvent,
  isCoppiceError,
  isProviderError,
} from "@coppice/ai";
import type { AgentRun } from "./agent-run.ts";

export interface FailedAnswerOptions {
  readonly error: unknown;
  /** The request that failed; absent when it never came to one. */
  readonly request?: ChatRequest | undefined;
  /** What had arrived before. */
  readonly partial?: AssistantMessage | undefined;
}

/** The assistant message that stands for a model call that broke, was aborted, or never left. */
export function failedAnswer(run: AgentRun, options: FailedAnswerOptions): AssistantMessage {
  const { error, partial } = options;
  const request = options.request ?? {
    model: run.state.model,
    thinkingLevel: run.state.thinkingLevel,
    messages: [],
  };
  const aborted = run.signal.aborted;
  const { message } = failureEvent({ request, error, aborted, now: run.now(), partial });
  if (aborted || !isCoppiceError(error) || isProviderError(error)) return withoutCalls(message);
  const { code, retryable } = error;
  return withoutCalls({ ...message, error: { code, retryable, message: error.message } });
}

/**
 * A failed answer as it enters the transcript: text and thinking stay, calls go.
 *
 * Its calls never run, and providers leave failed answers out of later requests: a result for such a call would have
 * no call to belong to.
 */
export function withoutCalls(message: AssistantMessage): AssistantMessage {
  return { ...message, content: message.content.filter((block) => block.type !== "toolCall") };
}

/** True for an answer that broke or was aborted. */
export function isFailed(message: AssistantMessage): boolean {
  return message.stopReason === "error" || message.stopReason === "aborted";
}
