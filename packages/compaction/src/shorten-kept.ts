import { textOf } from "@coppice/ai";
import type { ContextEntry } from "@coppice/session";
import { clipMiddle } from "./clip-text.ts";
import { estimateTokens } from "./estimate.ts";
import type { TokenEstimator } from "./estimate-text.ts";
import { wayToWhole } from "./recall-handles.ts";

/**
 * A kept tool result to be shown shorter, or, by a strategy of one's own, an answer that calls no tool: `text` replaces
 * its content by a `context_edit`; the file keeps it whole.
 */
export interface Shortening {
  readonly targetId: string;
  readonly text: string;
}

/** Characters that each result keeps: enough for a head and an error at the end; less only where that is too much. */
const LEAST_CHARS = [800, 200, 0] as const;

export interface ShortenKeptInput {
  /** The kept entries, oldest first. */
  readonly entries: readonly ContextEntry[];
  /** What they may take together. */
  readonly maxTokens: number;
  readonly estimator?: TokenEstimator;
  /** True: what is shortened names its entry for the `recall` tool. */
  readonly isRecallActive?: boolean;
}

/**
 * The fewest shortenings of tool results, longest first, that bring the kept entries to `maxTokens`.
 *
 * Only results are shortened: what a person or the model said stays verbatim. So the outcome may still be too large.
 */
export function shortenKept(input: ShortenKeptInput): {
  readonly shortenings: readonly Shortening[];
  readonly tokens: number;
} {
  for (const leastChars of LEAST_CHARS) {
    const shortened = shortenWith(input, leastChars);
    if (shortened.tokens <= input.maxTokens || leastChars === 0) return shortened;
  }
  return shortenWith(input, 0);
}

function shortenWith(input: ShortenKeptInput, leastChars: number) {
  const { entries, maxTokens, estimator, isRecallActive } = input;
  const sizes = entries.map((entry) => ({ entry, tokens: sizeOf(entry, estimator) }));
  let tokens = sizes.reduce((sum, size) => sum + size.tokens, 0);
  const shortenings: Shortening[] = [];
  const results = sizes.filter(
    ({ entry }) => entry.messages.length === 1 && entry.messages[0]?.role === "toolResult",
  );
  for (const size of results.sort((a, b) => b.tokens - a.tokens)) {
    if (tokens <= maxTokens) break;
    const target = Math.max(0, size.tokens - (tokens - maxTokens));
    const shortened = shortenTo(size.entry, { maxTokens: target, leastChars, estimator, isRecallActive });
    if (shortened === undefined || shortened.tokens >= size.tokens) continue;
    shortenings.push({ targetId: size.entry.entry.id, text: shortened.text });
    tokens += shortened.tokens - size.tokens;
  }
  return { shortenings, tokens };
}

function shortenTo(
  entry: ContextEntry,
  options: {
    readonly maxTokens: number;
    readonly leastChars: number;
    readonly estimator: TokenEstimator | undefined;
    readonly isRecallActive: boolean | undefined;
  },
): { readonly text: string; readonly tokens: number } | undefined {
  const message = entry.messages[0];
  if (message?.role !== "toolResult") return undefined;
  const { maxTokens, leastChars, estimator, isRecallActive } = options;
  const way = wayToWhole(entry.entry.id, isRecallActive);
  const whole = textOf(message.content);
  let chars = Math.max(leastChars, Math.min(whole.length, maxTokens * 4));
  for (;;) {
    const text = `${chars === 0 ? "" : `${clipMiddle(whole, chars)}\n\n`}[Shortened to free context. The session file keeps the whole result. ${way}]`;
    const tokens = estimateTokens({ ...message, content: [{ type: "text", text }] }, estimator);
    if (tokens <= maxTokens || chars <= leastChars) return { text, tokens };
    chars = Math.max(leastChars, Math.floor(chars * 0.8));
  }
}

function sizeOf(entry: ContextEntry, estimator: TokenEstimator | undefined): number {
  return entry.messages.reduce((sum, message) => sum + estimateTokens(message, estimator), 0);
}
