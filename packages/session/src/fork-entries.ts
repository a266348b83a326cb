import { type AnyEntry, isEntry, type SessionEntry } from "./entry.ts";
import { isMetadata } from "./tree.ts";

export interface ForkSource {
  /** Root first, metadata included. */
  readonly path: readonly AnyEntry[];
  readonly labels: ReadonlyMap<string, string>;
  readonly name: string | undefined;
}

/**
 * The entries of a fork: the path without metadata, chained anew, then its labels and the name.
 *
 * Ids stay. A boundary that pointed at metadata moves to the next entry that is kept. Unknown fields stay.
 */
export function forkEntries(
  source: ForkSource,
  supply: { readonly newId: () => string; readonly timestamp: () => string },
): readonly AnyEntry[] {
  const kept = source.path.filter((entry) => !isMetadata(entry));
  const chain = kept.map((entry, index) => rechain(entry, kept[index - 1]?.id ?? null, source.path));
  const position = kept.at(-1)?.id ?? null;
  const metadata = (fields: object): AnyEntry =>
    ({
      id: supply.newId(),
      parentId: position,
      timestamp: supply.timestamp(),
      ...fields,
    }) as unknown as AnyEntry;
  const labels = kept.flatMap(({ id }) => {
    const label = source.labels.get(id);
    return label === undefined ? [] : [metadata({ type: "label", targetId: id, label })];
  });
  const name = source.name === undefined ? [] : [metadata({ type: "session_info", name: source.name })];
  return [...chain, ...labels, ...name];
}

function rechain(entry: AnyEntry, parentId: string | null, path: readonly AnyEntry[]): AnyEntry {
  const chained = entry.parentId === parentId ? entry : { ...entry, parentId };
  return isEntry(entry, "compaction")
    ? ({ ...chained, firstKeptEntryId: keptBoundary(entry, path) } as AnyEntry)
    : (chained as AnyEntry);
}

/** The boundary, or the first entry after it that is not metadata; the compaction itself keeps nothing. */
function keptBoundary(compaction: SessionEntry<"compaction">, path: readonly AnyEntry[]): string {
  const boundary = compaction.firstKeptEntryId ?? compaction.id;
  const from = path.findIndex((entry) => entry.id === boundary);
  if (from === -1) return boundary;
  return path.slice(from).find((entry) => !isMetadata(entry))?.id ?? compaction.id;
}
