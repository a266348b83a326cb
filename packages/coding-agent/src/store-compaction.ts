import type { SystemMessage } from "@coppice/ai";
import type { CompactionResult } from "@coppice/compaction";
import type { EntryDraft, SessionShape } from "@coppice/session";
import { CodingAgentError } from "./errors.ts";
import type { SuppliedCompaction } from "./supplied-compaction.ts";

export interface StoreCompactionOptions {
  readonly session: SessionShape;
  readonly result: CompactionResult;
  readonly supplied: SuppliedCompaction | undefined;
  /** The prompt state in force, so that a reader needs nothing from before the compaction. */
  readonly systemMessage: SystemMessage | undefined;
  /** Where the session stood when the compaction began. */
  readonly leafId: string | null;
}

/**
 * Writes a compaction and the edits that belong to it in one batch; returns the compaction entry's id.
 *
 * Throws `compaction_failed` when the session has moved meanwhile: the summary would stand in the wrong place.
 */
export async function storeCompaction(options: StoreCompactionOptions): Promise<string> {
  const { session, result, supplied, systemMessage, leafId } = options;
  if (session.getLeafId() !== leafId) {
    throw new CodingAgentError({
      code: "compaction_failed",
      message: "The session moved while it was being compacted; the summary is dropped.",
    });
  }
  const edits: readonly EntryDraft[] = [
    ...result.shortenings.map(({ targetId, text }) => ({
      type: "context_edit" as const,
      targetId,
      replacement: { content: text },
    })),
    ...(supplied?.hiddenEntryIds ?? []).map((targetId) => ({
      type: "context_edit" as const,
      targetId,
      replacement: null,
    })),
  ];
  const ids = await session.appendBatch([
    ...edits,
    {
      type: "compaction",
      summary: result.summary,
      firstKeptEntryId: result.firstKeptEntryId,
      tokensBefore: result.tokensBefore,
      details: supplied?.details ?? result.details,
      ...(result.usage === undefined ? {} : { usage: result.usage }),
      fromHook: supplied !== undefined,
      ...(systemMessage === undefined ? {} : { systemMessage }),
      checkpoint: result.checkpoint,
    },
  ]);
  return ids.at(-1) ?? "";
}
