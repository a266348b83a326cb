import { type AnyEntry, type ContextEntry, isEntry } from "@coppice/session";
import { reportsContextSize } from "./estimate.ts";

/**
 * Index, among the projected messages, from which on every reported usage speaks of the present context.
 *
 * It is that of the newest successful answer, if that came after the latest compaction and no later edit has changed what
 * it counted; else the count of messages. `path` runs root → position, `entries` is its projection.
 */
export function usageValidFrom(path: readonly AnyEntry[], entries: readonly ContextEntry[]): number {
  const starts: number[] = [];
  let total = 0;
  for (const { messages } of entries) {
    starts.push(total);
    total += messages.length;
  }
  const found = entries.findLastIndex(
    ({ messages: [answer] }) => answer?.role === "assistant" && reportsContextSize(answer),
  );
  const newest = entries[found]?.entry;
  if (newest === undefined) return total;
  /** Targets, further up, of the edits walked past. */
  const edited = new Set<string>();
  for (let at = path.length - 1; path[at]?.id !== newest.id; at--) {
    const passed = path[at];
    if (passed === undefined || passed.type === "compaction") return total;
    if (isEntry(passed, "context_edit")) edited.add(passed.targetId);
    edited.delete(passed.id);
  }
  return edited.size === 0 ? (starts[found] ?? total) : total;
}
