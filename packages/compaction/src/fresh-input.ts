import type { AnyEntry, ContextEntry } from "@coppice/session";
import type { CompactionResult } from "./compact.ts";
import { messagesOf } from "./messages-of.ts";
import { firstUnseenInput } from "./turns.ts";

/** The entries from the first input on that no successful answer has followed yet; empty when all was answered. */
export function freshInput(entries: readonly ContextEntry[]): readonly ContextEntry[] {
  return entries.slice(firstUnseenInput(entries));
}

/**
 * A result whose boundary does not lie behind fresh input, whoever made it: what nobody has answered stays verbatim.
 *
 * `entries` is the projection of `path`.
 */
export function keepingFreshInput(
  result: CompactionResult,
  path: readonly AnyEntry[],
  entries: readonly ContextEntry[],
): CompactionResult {
  const fresh = freshInput(entries);
  const [first] = fresh;
  if (first === undefined) return result;
  const at = (entryId: string) => path.findLastIndex(({ id }) => id === entryId);
  const { firstKeptEntryId } = result;
  if (firstKeptEntryId !== "" && at(firstKeptEntryId) <= at(first.entry.id)) return result;
  return { ...result, firstKeptEntryId: first.entry.id, retainedTail: messagesOf(fresh) };
}
