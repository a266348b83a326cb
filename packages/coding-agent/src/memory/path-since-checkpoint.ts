import { type AnyEntry, isEntry, type Session } from "@coppice/session";

/**
 * The end of the branch from the newest compaction that carries a checkpoint on; the whole branch where none does.
 *
 * Enough for whatever checkpoints carry (pins, files), and it reads no further back than the context does.
 */
export async function pathSinceCheckpoint(session: Session): Promise<readonly AnyEntry[]> {
  const path: AnyEntry[] = [];
  for (let id = session.getLeafId(); id !== null; ) {
    const entry = await session.getEntry(id);
    // Only the whole tree knows how a missing parent is bridged.
    if (entry === undefined) return session.getBranch();
    path.push(entry);
    if (isEntry(entry, "compaction") && entry.checkpoint !== undefined) break;
    id = entry.parentId;
  }
  return path.reverse();
}
