import { type AnyEntry, type ContextEntry, isEntry } from "@coppice/session";
import { reportsContextSize } from "./estimate.ts";

/**
 * Index, among the projected messages, from which reported usage speaks of the present context.
 *
 * It is the newest successful answer after the latest compaction whose context no later edit has changed; the count
 * of messages when there is none. `path` runs root → position, `entries` is its projection.
 */
export function usageValidFrom(path: readonly AnyEntry[], entries: readonly ContextEntry[]): number {
  const position = new Map(path.map((entry, index) => [entry.id, index] as const));
  const positionOf = (id: string) => position.get(id) ?? -1;
  const compactedAt = path.findLastIndex((entry) => entry.type === "compaction");
  const edits = path.flatMap((entry, index) =>
    isEntry(entry, "context_edit") ? [{ at: index, target: positionOf(entry.targetId) }] : [],
  );
  const isValid = (at: number) =>
    at > compactedAt && !edits.some((edit) => edit.at > at && edit.target <= at);
  let messageIndex = entries.reduce((sum, { messages }) => sum + messages.length, 0);
  const total = messageIndex;
  for (const { entry, messages } of entries.toReversed()) {
    messageIndex -= messages.length;
    const answer = messages[0];
    if (answer?.role === "assistant" && reportsContextSize(answer) && isValid(positionOf(entry.id))) {
      return messageIndex;
    }
  }
  return total;
}
