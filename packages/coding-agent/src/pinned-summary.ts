import { type CompactionResult, PIN_CUSTOM_TYPE, type Pin, pinnedSection } from "@coppice/compaction";
import type { Checkpoint, EntryDraft } from "@coppice/session";

/** A summary that ends with the rules in force word for word, whoever wrote it. */
export function endingWithPins(summary: string, pins: readonly Pin[]): string {
  const section = pinnedSection(pins);
  return section === "" || summary.endsWith(section) ? summary : `${summary.trimEnd()}\n\n${section}`;
}

/** What later steps need is known without the maker of a compaction: what that leaves out of the checkpoint is filled in. */
export function vouchedFor(
  result: CompactionResult,
  plan: { readonly checkpoint: Checkpoint; readonly pins: readonly Pin[] } | undefined,
): CompactionResult {
  if (plan === undefined) return result;
  const checkpoint = { ...plan.checkpoint, ...result.checkpoint };
  return { ...result, checkpoint, summary: endingWithPins(result.summary, plan.pins) };
}

/** Rules of a branch that is left, to be pinned where the conversation goes on: its summary says that they hold. */
export function carriedPins(pins: readonly Pin[]): readonly EntryDraft[] {
  return pins.map((pin) => ({ type: "custom", customType: PIN_CUSTOM_TYPE, data: pin }));
}
