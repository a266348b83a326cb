import { buildContextEntries } from "@coppice/session";
import { checkCompactionResult, checkedMasking, checkShortenings } from "./check-outcome.ts";
import { type CompactionResult, compact, compactByExtract } from "./compact.ts";
import { CompactionError, isCompactionError } from "./errors.ts";
import { keepingFreshInput } from "./fresh-input.ts";
import { planMasking } from "./mask.ts";
import {
  type CompactionPreparation,
  type PrepareCompactionInput,
  prepareCompaction,
} from "./prepare-compaction.ts";
import { triggerTokensOf } from "./settings.ts";
import type { Shortening } from "./shorten-kept.ts";
import type { SummaryCallOptions } from "./summary-call.ts";

/** What a strategy wants done: a compaction entry, or only edits that show old results shorter. */
export type StrategyOutcome =
  | { readonly type: "compaction"; readonly result: CompactionResult }
  | { readonly type: "mask"; readonly shortenings: readonly Shortening[] };

export interface StrategyInput {
  readonly session: PrepareCompactionInput;
  /** The built-in plan; undefined when there is nothing to summarise. */
  readonly preparation: CompactionPreparation | undefined;
  readonly call: SummaryCallOptions;
}

/** One way to shrink a context. It stores nothing; undefined = not this time, the next strategy is asked. */
export interface CompactionStrategy {
  readonly name: string;
  shrink(input: StrategyInput): Promise<StrategyOutcome | undefined>;
}

/** Shows old tool results shorter, where that frees enough; no model call. */
export const maskStrategy: CompactionStrategy = {
  name: "mask",
  async shrink({ session }) {
    const shortenings = planMasking({
      entries: session.entries ?? buildContextEntries(session.path).entries,
      contextTokens: session.tokensBefore,
      triggerTokens: triggerTokensOf(session),
      keepRecentTokens: session.settings.keepRecentTokens,
      ...(session.estimator === undefined ? {} : { estimator: session.estimator }),
      ...(session.isRecallActive === undefined ? {} : { isRecallActive: session.isRecallActive }),
    });
    return shortenings.length === 0 ? undefined : { type: "mask", shortenings };
  },
};

/** Replaces old history by a summary that a model writes. */
export const summarizeStrategy: CompactionStrategy = {
  name: "summarize",
  async shrink({ preparation, call }) {
    return preparation && { type: "compaction", result: await compact(preparation, call) };
  },
};

/** Replaces old history by quotes from it; no model call. */
export const extractStrategy: CompactionStrategy = {
  name: "extract",
  async shrink({ preparation }) {
    return preparation && { type: "compaction", result: compactByExtract(preparation) };
  },
};

/** The ladder of a long session: what costs nothing first, and an end that needs no model. */
export const DEFAULT_STRATEGIES: readonly CompactionStrategy[] = [
  maskStrategy,
  summarizeStrategy,
  extractStrategy,
];

export interface ShrinkContextInput extends PrepareCompactionInput {
  readonly call: SummaryCallOptions;
  readonly strategies?: readonly CompactionStrategy[];
}

export interface ShrunkContext {
  /** Undefined when there was nothing to do. */
  readonly outcome: StrategyOutcome | undefined;
  /** The strategy that did it. */
  readonly strategy: string | undefined;
  /** Why earlier strategies did not, in order. */
  readonly failures: readonly { readonly strategy: string; readonly error: CompactionError }[];
}

/**
 * Asks strategies in order until one shrinks the context; what it returns is checked, and fresh input stays in any case.
 *
 * Throws `CompactionError`: `aborted`, the hopeless cases of `prepareCompaction`, or the last failure when all failed.
 */
export async function shrinkContext(input: ShrinkContextInput): Promise<ShrunkContext> {
  const { call, strategies = DEFAULT_STRATEGIES, ...session } = input;
  const preparation = prepareCompaction(session);
  const failures: { strategy: string; error: CompactionError }[] = [];
  for (const strategy of strategies) {
    try {
      const made = await strategy.shrink({ session, preparation, call });
      if (made === undefined) continue;
      const outcome = checkedOutcome(made, session, strategy.name);
      return { outcome, strategy: strategy.name, failures };
    } catch (error) {
      if (!isCompactionError(error) || error.code === "aborted") throw error;
      failures.push({ strategy: strategy.name, error });
    }
  }
  const last = failures.at(-1);
  if (last !== undefined) throw last.error;
  return { outcome: undefined, strategy: undefined, failures };
}

function checkedOutcome(
  outcome: StrategyOutcome,
  session: PrepareCompactionInput,
  source: string,
): StrategyOutcome {
  const { path, estimator, isRecallActive } = session;
  const entries = session.entries ?? buildContextEntries(path).entries;
  const check = { path, entries, estimator, isRecallActive, source };
  if (outcome.type === "mask") {
    return { type: "mask", shortenings: checkedMasking(outcome.shortenings, check) };
  }
  if (outcome.type === "compaction") {
    checkCompactionResult(outcome.result, path, source);
    checkShortenings(outcome.result.shortenings, check);
    return { type: "compaction", result: keepingFreshInput(outcome.result, path, entries) };
  }
  throw new CompactionError({
    code: "invalid_result",
    message: `What "${source}" made is refused: it is neither a compaction nor a masking.`,
    data: { source },
  });
}
