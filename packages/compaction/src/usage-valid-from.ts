import { type AnyEntry, type ContextEntry, isEntry } from "@coppice/session";
import { reportsContextSize } from "./estimate.ts";

/**
 * Index, among the projected messages, from which reported usage speaks of the present context.
 *
 * It is the newest successful answer after the latest compaction whose context no later edit has changed; the count
 * of messages when there is none. `path` runs root → position, `entries` is its projection.
 */
export function usageValidFrom(path: readonly AnyEntry[], entries: readonly ContextEntry[]): number {
  let messageIndex = entries.reduce((sum, { messages }) => sum + messages.length, 0);
  const total = messageIndex;
  /** Targets, further up, of the edits walked past: what a report between the two says is no longer so. */
  const edited = new Set<string>();
  let at = path.length;
  for (let index = entries.length - 1; index >= 0; index--) {
    const { entry, messages } = entries[index] as ContextEntry;
    messageIndex -= messages.length;
    const answer = messages[0];
    if (answer?.role !== "assistant" || !reportsContextSize(answer)) continue;
    for (at--; path[at]?.id !== entry.id; at--) {
      const passed = path[at];
      if (passed === undefined || passed.type === "compaction") return total;
      if (isEntry(passed, "context_edit")) edited.add(passed.targetId);
      edited.delete(passed.id);
    }
    if (edited.size === 0) return messageIndex;
    edited.delete(entry.id);
  }
  return total;
}
