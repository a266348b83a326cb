import { type AnyEntry, isEntry, type Session } from "@coppice/session";

/** Entries that are read together, at first. */
const ENTRIES_AT_ONCE = 64;

/**
 * The path to an entry (default: the position) from the newest compaction that carries a checkpoint on; the whole path
 * where none does.
 *
 * Enough for whatever checkpoints carry (pins, files), and it reads no further back than the context does, except in a
 * session that another program compacted.
 */
export async function pathSinceCheckpoint(
  session: Session,
  toId: string | null = session.getLeafId(),
): Promise<readonly AnyEntry[]> {
  const path: AnyEntry[] = [];
  for (let id = toId; id !== null; ) {
    const entry = await session.getEntry(id);
    // Only the whole tree knows how a missing parent is bridged.
    if (entry === undefined) return pathInTree(session, toId);
    path.push(entry);
    if (isEntry(entry, "compaction")) {
      if (entry.checkpoint !== undefined) break;
      // What the context does not need is not in memory: one by one it would be read a page each.
      return pathInTree(session, toId);
    }
    id = entry.parentId;
  }
  return path.reverse();
}

/** The same by the whole tree, read in ever larger pieces from the end. */
async function pathInTree(session: Session, toId: string | null): Promise<readonly AnyEntry[]> {
  const ids = await session.getBranchIds(toId);
  let path: readonly AnyEntry[] = [];
  let count = ENTRIES_AT_ONCE;
  for (let end = ids.length; end > 0; ) {
    const start = Math.max(0, end - count);
    const entries = await session.getEntriesById(ids.slice(start, end));
    const at = entries.findLastIndex(
      (entry) => isEntry(entry, "compaction") && entry.checkpoint !== undefined,
    );
    path = [...entries.slice(Math.max(0, at)), ...path];
    if (at !== -1) break;
    end = start;
    count *= 2;
  }
  return path;
}
