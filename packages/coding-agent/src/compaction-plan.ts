import {
  type CompactionPreparation,
  type PrepareCompactionInput,
  prepareCompaction,
  type ResolvedCompactionSettings,
} from "@coppice/compaction";
import type { Session } from "@coppice/session";
import type { Projection } from "./context-view.ts";
import { CodingAgentError } from "./errors.ts";
import type { CompactionReason } from "./events.ts";

/** Everything one compaction is about, read once at its start. */
export interface CompactionPlan {
  readonly reason: CompactionReason;
  /** Where the session stood. */
  readonly leafId: string | null;
  readonly projection: Projection;
  readonly input: PrepareCompactionInput;
  readonly preparation: CompactionPreparation | undefined;
}

export interface PlanCompactionOptions {
  readonly session: Session;
  readonly projection: Projection;
  readonly settings: ResolvedCompactionSettings;
  readonly reason: CompactionReason;
  /** True when the model can call `recall`: only then do handles mean anything to it. */
  readonly isRecallActive: boolean;
}

/** A compaction should free at least this share of the context. */
const WORTHWHILE_SHARE = 0.25;

/** Share of the context that stays when the settings would keep nearly all of it. */
const KEEP_LESS_SHARE = 0.25;

/**
 * What would be cut. By the settings when the trigger fired; after an overflow the estimate was too low, and by hand
 * something must go: then less is kept where the settings would free next to nothing.
 *
 * Throws the compaction's error for a context that no compaction can make fit.
 */
export async function planCompaction(options: PlanCompactionOptions): Promise<CompactionPlan> {
  const { session, projection, settings, reason, isRecallActive } = options;
  const { size, systemPrompt, tools, estimator, context } = projection;
  const leafId = session.getLeafId();
  const sessionName = await session.getName();
  const input: PrepareCompactionInput = {
    path: await session.getBranch(),
    entries: context.entries,
    contextWindow: settings.contextWindow,
    settings,
    tokensBefore: size.tokens,
    ...{ systemPrompt, tools, estimator, isRecallActive },
    ...(sessionName === undefined ? {} : { sessionName }),
  };
  const plan = { reason, leafId, projection };
  const preparation = prepareCompaction(input);
  const freed = preparation?.replacedTokens ?? 0;
  if (reason === "threshold" || freed >= size.tokens * WORTHWHILE_SHARE) {
    return { ...plan, input, preparation };
  }
  const keepRecentTokens = Math.min(settings.keepRecentTokens, Math.floor(size.tokens * KEEP_LESS_SHARE));
  const keepingLess = { ...input, settings: { ...settings, keepRecentTokens, minTurnsToKeep: 0 } };
  const smaller = prepareCompaction(keepingLess);
  if (smaller === undefined) return { ...plan, input, preparation };
  return { ...plan, input: keepingLess, preparation: smaller };
}

/** The refusal of a plan that would put nothing away. */
export function nothingToCompact({ messages }: Projection): CodingAgentError {
  return new CodingAgentError({
    code: "nothing_to_compact",
    message:
      messages.length === 0
        ? "There is nothing to compact: the conversation is empty."
        : "There is nothing to compact: everything that is there is recent enough to stay.",
  });
}
