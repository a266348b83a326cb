import {
  type AnyEntry,
  type EditReplacement,
  ENTRY_RULES,
  isEntry,
  type SessionEntry,
} from "@coppice/session";
import { kindOfEdit } from "./memory/entry-edits.ts";

/** Where an entry stands for the next request. `not_sent`: a kind that never reaches the model. */
export type EntryState = "in" | "shortened" | "hidden" | "summarised" | "other_branch" | "not_sent";

/** What decides on an entry's place. */
export interface EntryPlace {
  readonly onPath: ReadonlySet<string>;
  /** Entries of the projection. */
  readonly shown: ReadonlySet<string>;
  readonly edits: ReadonlyMap<string, EditReplacement>;
  readonly compaction: SessionEntry<"compaction"> | undefined;
  /** Root → position. */
  readonly path: readonly AnyEntry[];
}

/** Whether the model sees an entry, and why. Pure. */
export function entryReason(
  entry: AnyEntry,
  place: EntryPlace,
): { readonly state: EntryState; readonly reason: string } {
  const { onPath, shown, edits, compaction, path } = place;
  const edit = edits.get(entry.id);
  if (shown.has(entry.id)) {
    const kind = edit === undefined ? "restore" : kindOfEdit(entry, edit);
    if (kind === "restore") return { state: "in", reason: "It is sent as it is." };
    return kind === "hide"
      ? { state: "hidden", reason: "A note stands where its call waits for it." }
      : { state: "shortened", reason: "A later entry replaces its content." };
  }
  if (isEntry(entry, "message") && entry.message.role === "system" && onPath.has(entry.id)) {
    return { state: "in", reason: "It is part of the system prompt and the tools." };
  }
  const rule = Object.hasOwn(ENTRY_RULES, entry.type)
    ? ENTRY_RULES[entry.type as keyof typeof ENTRY_RULES]
    : undefined;
  if (rule?.reachesModel !== true) {
    return { state: "not_sent", reason: `Entries of the kind ${entry.type} never reach the model.` };
  }
  if (!onPath.has(entry.id)) return { state: "other_branch", reason: "It lies on another branch." };
  if (edit === null) return { state: "hidden", reason: hiddenReason(entry) };
  const at = path.findIndex(({ id }) => id === compaction?.id);
  const own = path.findIndex(({ id }) => id === entry.id);
  if (compaction !== undefined && own < at) {
    return { state: "summarised", reason: `The compaction ${compaction.id} stands for it.` };
  }
  return { state: "not_sent", reason: "It has nothing to send." };
}

function hiddenReason(entry: AnyEntry): string {
  if (isEntry(entry, "compaction")) return "The compaction was undone.";
  const failed =
    isEntry(entry, "message") &&
    entry.message.role === "assistant" &&
    entry.message.stopReason !== "stop" &&
    entry.message.stopReason !== "toolUse";
  return failed ? "The answer failed and was asked for again." : "A later entry hides it.";
}
