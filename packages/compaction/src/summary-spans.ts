import type { AgentMessage } from "@coppice/agent";
import { estimateTokens } from "./estimate.ts";
import type { CompactionPreparation } from "./prepare-compaction.ts";

/** Messages that one summary is of, and the calls that it may take. */
export interface SummarySpan {
  readonly messages: readonly AgentMessage[];
  readonly maxChunks: number;
}

export interface SummarySpans {
  readonly history: SummarySpan & { readonly previousSummary: string | undefined };
  /** The beginning of a turn that the cut splits, where there is history before it. */
  readonly turnPrefix: SummarySpan | undefined;
}

/**
 * What the serialised form summarises, `maxCalls` shared out by size where a split turn needs two summaries.
 *
 * One span only is an update of the previous summary, also where it is a turn's beginning: long turns do not pile up
 * summaries.
 */
export function summarySpans(preparation: CompactionPreparation, maxCalls: number): SummarySpans {
  const { messagesToSummarize, turnPrefixMessages, previousSummary, estimator } = preparation;
  if (messagesToSummarize.length === 0 || turnPrefixMessages.length === 0) {
    const messages = [...messagesToSummarize, ...turnPrefixMessages];
    return { history: { messages, previousSummary, maxChunks: maxCalls }, turnPrefix: undefined };
  }
  const sizeOf = (messages: readonly AgentMessage[]) =>
    messages.reduce((sum, message) => sum + estimateTokens(message, estimator), 0);
  const prefixTokens = sizeOf(turnPrefixMessages);
  const share = prefixTokens / Math.max(1, prefixTokens + sizeOf(messagesToSummarize));
  const forPrefix = Math.min(maxCalls - 1, Math.max(1, Math.round(maxCalls * share)));
  return {
    history: { messages: messagesToSummarize, previousSummary, maxChunks: maxCalls - forPrefix },
    turnPrefix: { messages: turnPrefixMessages, maxChunks: forPrefix },
  };
}
