import { addUsage, type Usage, usageWithCost, ZERO_USAGE } from "@coppice/ai";
import { MAX_CHUNKS } from "./chunk-conversation.ts";
import { scriptEstimator, type TokenEstimator } from "./estimate-text.ts";
import { fitsOnPrefix } from "./on-prefix.ts";
import type { CompactionPreparation } from "./prepare-compaction.ts";
import { DEFAULT_SUMMARY_PROMPTS } from "./prompts.ts";
import { conversationChunks } from "./summarise.ts";
import type { SummaryCallOptions } from "./summary-call.ts";
import { summarySpans } from "./summary-spans.ts";

/** As for `compact`, the call itself aside: nothing is sent. */
export type PreviewOptions = Omit<SummaryCallOptions, "complete" | "signal">;

/** What a compaction would do and cost. All sizes are tokens, and estimates but for `tokensBefore`. */
export interface CompactionPreview {
  readonly firstKeptEntryId: string;
  /** Messages that the summary replaces. */
  readonly goes: { readonly messages: number; readonly tokens: number };
  /** Messages that stay; `tokens` is their size after shortening. */
  readonly stays: { readonly messages: number; readonly tokens: number };
  /** Kept results that would be shown shorter. */
  readonly shortened: number;
  readonly tokensBefore: number;
  /** The summary counted with its whole allowance. */
  readonly tokensAfter: number;
  readonly form: "prefix" | "serialised";
  /** Summary requests, when each is answered well. */
  readonly calls: number;
  /** Of all requests: the prefix counted as cached, the answers with their whole allowance; cost by the model's prices. */
  readonly usage: Usage;
}

/**
 * The dry run of a compaction: pure, no model is asked.
 *
 * Throws `input_too_large` where the summary model's window has no room for any conversation.
 */
export function previewCompaction(
  preparation: CompactionPreparation,
  options: PreviewOptions,
): CompactionPreview {
  const { messagesToSummarize, turnPrefixMessages, retainedTail } = preparation;
  const isOnPrefix = fitsOnPrefix(preparation, options);
  const asked = { estimator: preparation.estimator ?? scriptEstimator, ...options };
  const usages = isOnPrefix ? [prefixUsage(preparation, asked)] : serialisedUsages(preparation, asked);
  return {
    firstKeptEntryId: preparation.firstKeptEntryId,
    goes: {
      messages: messagesToSummarize.length + turnPrefixMessages.length,
      tokens: preparation.replacedTokens,
    },
    stays: { messages: retainedTail.length, tokens: preparation.keptTokens },
    shortened: preparation.shortenings.length,
    tokensBefore: preparation.tokensBefore,
    tokensAfter: preparation.tokensAfterEstimate,
    form: isOnPrefix ? "prefix" : "serialised",
    calls: usages.length,
    usage: usages.reduce(addUsage, ZERO_USAGE),
  };
}

type Asked = PreviewOptions & { readonly estimator: TokenEstimator };

/** One request: what the session sent is cached, where the model has a price for that; the instruction is new. */
function prefixUsage(preparation: CompactionPreparation, options: Asked): Usage {
  const { model, estimator, prompts } = options;
  const instruction = estimator.estimateText(prompts?.onPrefix ?? DEFAULT_SUMMARY_PROMPTS.onPrefix);
  const { tokensBefore } = preparation;
  const counts =
    model.cost.cacheRead > 0
      ? { input: instruction, cacheRead: tokensBefore }
      : { input: tokensBefore + instruction, cacheRead: 0 };
  return usageWithCost({ ...counts, output: allowance(preparation), cacheWrite: 0 }, model);
}

/** One request a chunk; each after the first carries the summary so far. */
function serialisedUsages(preparation: CompactionPreparation, options: Asked): readonly Usage[] {
  const { model, estimator, prompts } = options;
  const output = allowance(preparation);
  const prompt = { ...DEFAULT_SUMMARY_PROMPTS, ...prompts };
  const { history, turnPrefix } = summarySpans(preparation, MAX_CHUNKS);
  const usagesOf = (chunks: readonly string[], previous: number) =>
    chunks.map((chunk, index) => {
      const input =
        estimator.estimateText(chunk) +
        estimator.estimateText(prompt.system + prompt.update) +
        (index === 0 ? previous : output);
      return usageWithCost({ input, output, cacheRead: 0, cacheWrite: 0 }, model);
    });
  const previousTokens = estimator.estimateText(history.previousSummary ?? "");
  return [
    ...usagesOf(conversationChunks({ ...options, ...history }, "history"), previousTokens),
    ...(turnPrefix === undefined
      ? []
      : usagesOf(conversationChunks({ ...options, ...turnPrefix }, "turnPrefix"), 0)),
  ];
}

/** Tokens that the summary may take. */
function allowance({ tokensAfterEstimate, overheadTokens, keptTokens }: CompactionPreparation): number {
  return Math.max(0, tokensAfterEstimate - overheadTokens - keptTokens);
}
