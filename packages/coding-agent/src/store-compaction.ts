import type { SystemMessage } from "@coppice/ai";
import type { CompactionResult, Shortening } from "@coppice/compaction";
import type { AnyEntry, EntryDraft, Session } from "@coppice/session";
import { CodingAgentError } from "./errors.ts";
import { RecallCount } from "./memory/recall-count.ts";
import { redactSecrets } from "./secrets/redactor.ts";

export interface StoreCompactionOptions {
  readonly session: Session;
  readonly result: CompactionResult;
  /** True when an extension made it. */
  readonly fromHook: boolean;
  /** True when its model calls are in the session's totals already. */
  readonly isPaid: boolean;
  /** Entries behind the boundary that go all the same. */
  readonly hiddenEntryIds?: readonly string[] | undefined;
  /** The path that it was made for: what was recalled on it is carried on, whoever made the summary. */
  readonly path: readonly AnyEntry[];
  /** Replaces the file lists. */
  readonly details?: unknown;
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
  const { session, result, fromHook, isPaid, hiddenEntryIds = [], details, systemMessage, leafId } = options;
  checkUnmoved(session, leafId);
  const edits = [
    ...result.shortenings.map(shorteningDraft),
    ...hiddenEntryIds.map((targetId): EntryDraft => ({ type: "context_edit", targetId, replacement: null })),
  ];
  const ids = await session.appendBatch([
    ...edits,
    {
      type: "compaction",
      // Also where a person has edited it.
      summary: redactSecrets(result.summary),
      firstKeptEntryId: result.firstKeptEntryId,
      tokensBefore: result.tokensBefore,
      details: details ?? result.details,
      ...(result.usage === undefined || isPaid ? {} : { usage: result.usage }),
      fromHook,
      ...(systemMessage === undefined ? {} : { systemMessage }),
      checkpoint: {
        ...result.checkpoint,
        ...RecallCount.of(options.path).carried,
        ...(edits.length === 0 ? {} : { ownEdits: edits.length }),
      },
    },
  ]);
  return ids.at(-1) ?? "";
}

/** Writes old results as shorter ones, all or none. Throws `compaction_failed` when the session has moved meanwhile. */
export async function storeMasks(
  session: Session,
  shortenings: readonly Shortening[],
  leafId: string | null,
): Promise<void> {
  checkUnmoved(session, leafId);
  await session.appendBatch(shortenings.map(shorteningDraft));
}

function shorteningDraft({ targetId, text }: Shortening): EntryDraft {
  return { type: "context_edit", targetId, replacement: { content: text } };
}

function checkUnmoved(session: Session, leafId: string | null): void {
  if (session.getLeafId() === leafId) return;
  throw new CodingAgentError({
    code: "compaction_failed",
    message: "The session moved while it was being compacted; the summary is dropped.",
  });
}
