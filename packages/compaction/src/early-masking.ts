import type { Prices } from "@coppice/ai";
import type { ContextEntry } from "@coppice/session";
import { estimateTokens } from "./estimate.ts";
import { type MaskCandidate, maskCandidates, mostMaskableTokens, type PlanMaskingInput } from "./mask.ts";
import type { Shortening } from "./shorten-kept.ts";

export interface PlanEarlyMaskingInput
  extends Pick<PlanMaskingInput, "entries" | "keepRecentTokens" | "estimator" | "isRecallActive"> {
  /** Of the session's model. */
  readonly prices: Prices;
}

/** A break of the prompt cache must free at least so many tokens, however much it would save. */
export const LEAST_EARLY_TOKENS = 30_000;
/** Requests that a session is expected to make yet, at most. */
const MOST_EXPECTED_REQUESTS = 60;
/** Where a model has no prices: what most providers ask, in shares of plain input. */
const USUAL_PRICES: Prices = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };

/**
 * Old tool results to be shown shorter long before the window is full, where that is cheaper than to go on sending them.
 *
 * What is masked is saved in every request to come, as many as there were so far; what stands behind the first of it is
 * read uncached once. Of all places to begin, the one that saves most; empty where none does.
 */
export function planEarlyMasking(input: PlanEarlyMaskingInput): readonly Shortening[] {
  // Asked before every request: the texts are only made where they could be enough.
  if (mostMaskableTokens(input) < LEAST_EARLY_TOKENS) return [];
  const candidates = maskCandidates(input);
  const total = candidates.reduce((sum, { saving }) => sum + saving, 0);
  if (total < LEAST_EARLY_TOKENS) return [];
  const { cacheRead, rewrite } = pricesOf(input.prices);
  const requests = Math.min(MOST_EXPECTED_REQUESTS, requestsSoFar(input.entries));
  const behind = tokensFrom(input);
  let best: { readonly at: number; readonly net: number } | undefined;
  let saved = 0;
  for (let at = candidates.length - 1; at >= 0; at--) {
    const { index, saving } = candidates[at] as MaskCandidate;
    saved += saving;
    if (saved < LEAST_EARLY_TOKENS) continue;
    const rest = Math.max(0, (behind[index] ?? 0) - saved);
    const net = saved * cacheRead * requests - rest * (rewrite - cacheRead);
    if (net > 0 && net > (best?.net ?? 0)) best = { at, net };
  }
  return best === undefined ? [] : candidates.slice(best.at).map(({ shortening }) => shortening);
}

function pricesOf({ input, cacheRead, cacheWrite }: Prices): {
  readonly cacheRead: number;
  readonly rewrite: number;
} {
  if (input === 0 && cacheRead === 0) {
    return { cacheRead: USUAL_PRICES.cacheRead, rewrite: USUAL_PRICES.cacheWrite };
  }
  // A model without a cache pays the whole price either way, so that masking breaks nothing.
  return { cacheRead: cacheRead === 0 ? input : cacheRead, rewrite: cacheWrite === 0 ? input : cacheWrite };
}

function requestsSoFar(entries: readonly ContextEntry[]): number {
  return entries.flatMap(({ messages }) => messages).filter(({ role }) => role === "assistant").length;
}

/** Tokens of each entry and everything behind it. */
function tokensFrom({ entries, estimator }: PlanEarlyMaskingInput): readonly number[] {
  const sums = new Array<number>(entries.length).fill(0);
  let sum = 0;
  for (let index = entries.length - 1; index >= 0; index--) {
    for (const message of entries[index]?.messages ?? []) sum += estimateTokens(message, estimator);
    sums[index] = sum;
  }
  return sums;
}
