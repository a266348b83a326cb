import { estimateTokens } from "@coppice/compaction";
import { isEntry } from "@coppice/session";
import type { CompactionPlan } from "../compaction-plan.ts";

/** An entry that a compaction puts away or keeps, as people are shown it. */
export interface DraftEntry {
  readonly entryId: string;
  readonly type: string;
  /** Of the message, where the entry holds one. */
  readonly role: string | undefined;
  /** Estimate. */
  readonly tokens: number;
}

/** What the model sees now, parted at a boundary: what a compaction there puts away, and what stays. Pure. */
export function draftEntries(
  { projection }: CompactionPlan,
  firstKeptEntryId: string,
): { readonly goes: readonly DraftEntry[]; readonly stays: readonly DraftEntry[] } {
  const { context, estimator } = projection;
  const all = context.entries.map(
    ({ entry, messages }): DraftEntry => ({
      entryId: entry.id,
      type: entry.type,
      role: isEntry(entry, "message") ? entry.message.role : undefined,
      tokens: messages.reduce((sum, message) => sum + estimateTokens(message, estimator), 0),
    }),
  );
  const at = all.findIndex(({ entryId }) => entryId === firstKeptEntryId);
  const cut = at === -1 ? all.length : at;
  return { goes: all.slice(0, cut), stays: all.slice(cut) };
}
