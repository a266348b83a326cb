import { type AnyEntry, entryText, isEntry, type SessionTreeNode } from "@coppice/session";
import type { Choice } from "../views/picker.ts";

/** Deeper branches are not indented further: the text must stay readable. */
const MAX_INDENT = 8;
const MAX_TEXT = 160;

/**
 * The entries that one can move to, in the order of the tree; a branch is indented where it leaves its parent.
 * Tool results and changes of settings are left out: nobody looks for them.
 */
export function treeChoices(roots: readonly SessionTreeNode[], leafId: string | null): readonly Choice[] {
  const choices: Choice[] = [];
  // A stack of its own: a session is as deep as it is long.
  const open = roots.map((node) => ({ node, indent: roots.length > 1 ? 1 : 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, indent } = next;
    const { entry, label, children } = node;
    const isHere = entry.id === leafId;
    if (isHere || isOffered(entry)) {
      choices.push({
        value: entry.id,
        label: `${"  ".repeat(Math.min(indent, MAX_INDENT))}${isHere ? "▸ " : ""}${lineOf(entry, label)}`,
      });
    }
    const childIndent = children.length > 1 ? indent + 1 : indent;
    for (const child of [...children].reverse()) open.push({ node: child, indent: childIndent });
  }
  return choices;
}

function isOffered(entry: AnyEntry): boolean {
  if (isEntry(entry, "message")) return entry.message.role === "user" || entry.message.role === "assistant";
  return isEntry(entry, "compaction") || isEntry(entry, "branch_summary") || isEntry(entry, "custom_message");
}

function lineOf(entry: AnyEntry, label: string | undefined): string {
  const kind = isEntry(entry, "message") ? entry.message.role : entry.type;
  const text = entryText(entry).replace(/\s+/g, " ").trim().slice(0, MAX_TEXT);
  return `${label === undefined ? "" : `[${label}] `}${kind}: ${text === "" ? "(no text)" : text}`;
}
