import { type CompactionResult, type Shortening, tokensFreedBy } from "@coppice/compaction";
import type { CompactionPlan } from "./compaction-plan.ts";
import { redactSecrets } from "./secrets/redactor.ts";

/** What a strategy made that only shows results shorter, as a result: everything stays, and the summary is empty. */
export function maskedResult(
  { projection }: CompactionPlan,
  shortenings: readonly Shortening[],
): CompactionResult {
  const { context, messages, estimator, size } = projection;
  const masks = shortenings.map(({ targetId, text }) => ({ targetId, text: redactSecrets(text) }));
  return {
    summary: "",
    firstKeptEntryId: context.entries[0]?.entry.id ?? "",
    tokensBefore: size.tokens,
    tokensAfter: Math.max(0, size.tokens - tokensFreedBy(masks, context.entries, estimator)),
    retainedTail: messages,
    details: { readFiles: [], modifiedFiles: [] },
    usage: undefined,
    shortenings: masks,
    checkpoint: {},
    isExtract: false,
  };
}
