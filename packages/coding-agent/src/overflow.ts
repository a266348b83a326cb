import { type AssistantMessage, toolCallsOf } from "@coppice/ai";

/** From this share of the window on, an answer that was cut off was cut off by the window. */
const FULL_SHARE = 0.99;

/** A server that reports this much less than we sent has cut the prompt. */
const SILENT_CUT_FACTOR = 1.2;

export interface OverflowFacts {
  readonly contextWindow: number;
  /** Estimate of what the request held, in tokens. */
  readonly sentTokens: number;
}

/**
 * Whether an answer failed because the context does not fit the model.
 *
 * Three forms: the provider says so; the answer stopped for length with the window full; or a server cut the prompt
 * without a word, seen by a prompt of a full window where more was sent. Answers with calls are never taken for cut.
 */
export function isContextOverflow(message: AssistantMessage, facts: OverflowFacts): boolean {
  if (message.stopReason === "error") return message.error?.code === "context_overflow";
  if (message.stopReason === "aborted" || toolCallsOf(message).length > 0) return false;
  const { usage } = message;
  const promptTokens = usage.input + usage.cacheRead + usage.cacheWrite;
  const full = facts.contextWindow * FULL_SHARE;
  if (message.stopReason === "length") return promptTokens + usage.output >= full;
  return promptTokens >= full && facts.sentTokens > promptTokens * SILENT_CUT_FACTOR;
}
