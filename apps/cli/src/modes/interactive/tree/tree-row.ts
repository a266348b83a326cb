import { type AnyEntry, entryText, isEntry, type SessionTreeNode } from "@coppice/session";

/** What an entry is, for people. */
export type RowKind = "user" | "assistant" | "tool" | "shell" | "note" | "compaction" | "summary" | "setting";

/** Which entries are shown; Tab goes through them in this order. */
export const TREE_FILTERS = ["conversation", "yours", "labelled", "compactions", "everything"] as const;

export type TreeFilter = (typeof TREE_FILTERS)[number];

/** The text of a row is cut here: a screen is not wider. */
const MAX_CHARACTERS = 300;

export function kindOf(entry: AnyEntry): RowKind {
  if (isEntry(entry, "message")) {
    const { role } = entry.message;
    if (role === "user" || role === "assistant") return role;
    if (role === "bashExecution") return "shell";
    if (role === "system") return "setting";
    return role === "toolResult" ? "tool" : "note";
  }
  if (isEntry(entry, "compaction")) return "compaction";
  if (isEntry(entry, "branch_summary")) return "summary";
  return isEntry(entry, "custom_message") ? "note" : "setting";
}

/** Tool results and changes of settings are shown on demand only: hardly anybody goes back to one. */
export function passesFilter({ entry, label }: SessionTreeNode, filter: TreeFilter): boolean {
  const kind = kindOf(entry);
  switch (filter) {
    case "everything":
      return true;
    case "yours":
      return kind === "user";
    case "labelled":
      return label !== undefined;
    case "compactions":
      return kind === "compaction" || kind === "summary";
    case "conversation":
      return kind !== "setting" && kind !== "tool";
  }
}

/** The entry in one line, as far as it has words; else what it did. */
export function lineOf(entry: AnyEntry): string {
  const text = entryText(entry).slice(0, MAX_CHARACTERS).replace(/\s+/g, " ").trim();
  if (text !== "") return text;
  if (!isEntry(entry, "message")) return `(${entry.type})`;
  return entry.message.role === "system" ? "(system prompt and tools)" : "(no text)";
}
