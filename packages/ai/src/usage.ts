import type { Model } from "./model.ts";

/** Cost in USD. `totalFromProvider` marks a total that the provider billed rather than one computed from prices. */
export interface UsageCost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
  readonly totalFromProvider?: boolean;
}

/**
 * Tokens of one model call, normalised over the dialects of the providers.
 *
 * `input` excludes cached tokens; `reasoning` is inside `output`; `cacheWrite1h` is inside `cacheWrite`;
 * `totalTokens` = input + output + cacheRead + cacheWrite. Always complete on an assistant message: zeroes where unknown.
 */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h?: number;
  readonly reasoning?: number;
  readonly totalTokens: number;
  readonly cost: UsageCost;
}

/** The token counts of a usage without cost, as decoders produce them. */
export type TokenCounts = Omit<Usage, "cost" | "totalTokens">;

export const ZERO_COST: UsageCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

export const ZERO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: ZERO_COST,
};

const TOKENS_PER_PRICE_UNIT = 1_000_000;

/** An hour-long cache write costs this many times the input price (Anthropic pricing page, 2026-11). */
const LONG_CACHE_WRITE_INPUT_FACTOR = 2;

/**
 * Full usage for a model's token counts: the total and the cost in USD by the model's prices.
 *
 * With price tiers, the highest tier whose threshold the whole prompt (input + cached) passes prices everything.
 * Routers mark an unknown price with a negative one; it counts as 0.
 */
export function usageWithCost(counts: TokenCounts, model: Pick<Model, "cost">): Usage {
  const promptTokens = counts.input + counts.cacheRead + counts.cacheWrite;
  const tiers = [...(model.cost.tiers ?? [])].sort((a, b) => a.inputTokensAbove - b.inputTokensAbove);
  const tier = tiers.findLast((candidate) => promptTokens > candidate.inputTokensAbove) ?? model.cost;
  const price = {
    input: Math.max(0, tier.input),
    output: Math.max(0, tier.output),
    cacheRead: Math.max(0, tier.cacheRead),
    cacheWrite: Math.max(0, tier.cacheWrite),
  };
  const longWrite = counts.cacheWrite1h ?? 0;
  const cost = {
    input: (counts.input * price.input) / TOKENS_PER_PRICE_UNIT,
    output: (counts.output * price.output) / TOKENS_PER_PRICE_UNIT,
    cacheRead: (counts.cacheRead * price.cacheRead) / TOKENS_PER_PRICE_UNIT,
    cacheWrite:
      ((counts.cacheWrite - longWrite) * price.cacheWrite +
        longWrite * price.input * LONG_CACHE_WRITE_INPUT_FACTOR) /
      TOKENS_PER_PRICE_UNIT,
  };
  return {
    ...counts,
    totalTokens: promptTokens + counts.output,
    cost: { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite },
  };
}

/** Sum of two usages, cost included; optional counts appear when either side has them. */
export function addUsage(a: Usage, b: Usage): Usage {
  const optional = (key: "cacheWrite1h" | "reasoning") =>
    a[key] === undefined && b[key] === undefined ? {} : { [key]: (a[key] ?? 0) + (b[key] ?? 0) };
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...optional("cacheWrite1h"),
    ...optional("reasoning"),
    totalTokens: a.totalTokens + b.totalTokens,
    cost: {
      input: a.cost.input + b.cost.input,
      output: a.cost.output + b.cost.output,
      cacheRead: a.cost.cacheRead + b.cost.cacheRead,
      cacheWrite: a.cost.cacheWrite + b.cost.cacheWrite,
      total: a.cost.total + b.cost.total,
    },
  };
}
