import { type AnyEntry, isEntry, SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { SessionError } from "./errors.ts";
import {
  hashOf,
  type IdentifiedEntry,
  identifyAgain,
  identifyEntries,
  parentsFirst,
  renamed,
} from "./merge-identity.ts";
import { EntryTree } from "./tree.ts";

/** One copy of a session: its header and its entries in the order of writing. */
export interface SessionCopy {
  readonly header: SessionHeader;
  readonly entries: readonly AnyEntry[];
}

/** Where a copy stood, and its newest entry, which says how it compares with other copies. */
interface Head {
  /** Identity of the position; null = before the first entry. */
  readonly position: string | null;
  readonly newest: { readonly timestamp: string; readonly identity: string };
}

interface IdentifiedCopy {
  readonly entries: readonly IdentifiedEntry[];
  readonly heads: readonly Head[];
}

/** What an entry carries that a merge made to hold a position. Later merges make it anew. */
interface MergeMark {
  readonly mergeHead?: Head["newest"];
}

const LABEL = "other copy";
const ID_CHARS = 16;

/**
 * Two copies of one session as one tree with the positions of both. Commutative, associative, idempotent.
 *
 * Entries come with what they refer to first, then by timestamp, then by id. Of two entries with one id, the one with
 * the smaller content hash keeps it; the other is renamed, with what refers to it. The position is that of the copy with
 * the newest entry; the other gets a label where it is not on the way there.
 */
export function mergeSessions(a: SessionCopy, b: SessionCopy): SessionCopy {
  requireOneSession(a.header, b.header);
  const copies = [identifyCopy(a), identifyCopy(b)];
  const { entries, replaced } = unite(copies.flatMap((copy) => copy.entries));
  const names = namesOf(entries);
  const ordered = inOrder([...entries.values()], names);
  const heads = copies.flatMap((copy) => copy.heads).map((head) => withResolved(head, replaced));
  return {
    header: earlierHeader(a.header, b.header),
    entries: [...ordered, ...headEntries(ordered, heads, names)],
  };
}

function requireOneSession(a: SessionHeader, b: SessionHeader): void {
  if (a.id === b.id) return;
  throw new SessionError({
    code: "other_session",
    message: `Sessions ${a.id} and ${b.id} are not copies of one session.`,
  });
}

/** Headers of copies are alike; where they are not, the choice must not depend on who comes first. */
function earlierHeader(a: SessionHeader, b: SessionHeader): SessionHeader {
  const key = (header: SessionHeader) =>
    `${header.timestamp} ${hashOf({ ...header, version: SESSION_VERSION })}`;
  return { ...(key(a) <= key(b) ? a : b), version: SESSION_VERSION };
}

function identifyCopy({ entries }: SessionCopy): IdentifiedCopy {
  const tree = treeOf(entries);
  const marks = new Map(tree.entries.filter(isMark).map((mark) => [mark.id, mark]));
  const own = tree.entries
    .filter((entry) => !marks.has(entry.id))
    .map((entry) => withoutMarkParent(entry, marks));
  const identified = identifyEntries(own);
  const identities = new Map(identified.map(({ entry, identity }) => [entry.id, identity]));
  const newest = identified
    .map(({ entry, identity }) => ({ timestamp: entry.timestamp, identity }))
    .reduce<Head["newest"] | undefined>((best, next) => (isNewer(next, best) ? next : best), undefined);
  if (newest === undefined) return { entries: [], heads: [] };
  const position = tree.position === null ? null : (identities.get(tree.position) ?? null);
  const others = [...marks.values()].flatMap((mark): readonly Head[] => {
    if (!isEntry(mark, "label") || mark.mergeHead === undefined) return [];
    return [{ position: identities.get(mark.targetId) ?? null, newest: mark.mergeHead }];
  });
  return { entries: identified, heads: [{ position, newest }, ...others] };
}

function isMark(entry: AnyEntry): entry is AnyEntry & MergeMark {
  return (entry as MergeMark).mergeHead !== undefined;
}

/** Another program may have hung an entry on a label or a navigation of an earlier merge. */
function withoutMarkParent(entry: AnyEntry, marks: ReadonlyMap<string, AnyEntry>): AnyEntry {
  const mark = entry.parentId === null ? undefined : marks.get(entry.parentId);
  if (mark === undefined) return entry;
  return {
    ...entry,
    parentId: (mark as AnyEntry & { readonly targetId: string | null }).targetId,
  } as AnyEntry;
}

function isNewer(a: Head["newest"], b: Head["newest"] | undefined): boolean {
  if (b === undefined || a.timestamp !== b.timestamp) return b === undefined || a.timestamp > b.timestamp;
  return a.identity > b.identity;
}

interface Union {
  readonly entries: ReadonlyMap<string, IdentifiedEntry>;
  /** Identities that changed, because a reference that named nothing in its copy was found in the other one. */
  readonly replaced: ReadonlyMap<string, string>;
}

function unite(all: readonly IdentifiedEntry[]): Union {
  const keepers = new Map<string, string>();
  for (const { originalId, identity } of all) {
    const keeper = keepers.get(originalId);
    if (keeper === undefined || identity < keeper) keepers.set(originalId, identity);
  }
  const united = new Map<string, IdentifiedEntry>();
  const replaced = new Map<string, string>();
  for (const one of all) {
    const resolved = resolve(withReplaced(one, replaced), keepers);
    if (resolved.identity !== one.identity) replaced.set(one.identity, resolved.identity);
    united.set(resolved.identity, resolved);
  }
  return { entries: united, replaced };
}

function withResolved({ position, newest }: Head, replaced: ReadonlyMap<string, string>): Head {
  const now = (identity: string) => replaced.get(identity) ?? identity;
  return {
    position: position === null ? null : now(position),
    newest: { ...newest, identity: now(newest.identity) },
  };
}

function resolve(one: IdentifiedEntry, keepers: ReadonlyMap<string, string>): IdentifiedEntry {
  return identifyAgain(one, (id) => keepers.get(id));
}

function withReplaced(one: IdentifiedEntry, replaced: ReadonlyMap<string, string>): IdentifiedEntry {
  if (replaced.size === 0) return one;
  const references = Object.entries(one.references).map(([name, identity]) => [
    name,
    replaced.get(identity ?? "") ?? identity,
  ]);
  return { ...one, references: Object.fromEntries(references) };
}

function namesOf(entries: ReadonlyMap<string, IdentifiedEntry>): ReadonlyMap<string, string> {
  const keepers = new Map<string, string>();
  for (const { originalId, identity } of entries.values()) {
    const keeper = keepers.get(originalId);
    if (keeper === undefined || identity < keeper) keepers.set(originalId, identity);
  }
  return new Map(
    [...entries.values()].map(({ originalId, identity }) => [
      identity,
      keepers.get(originalId) === identity ? originalId : identity.slice(0, ID_CHARS),
    ]),
  );
}

function inOrder(
  entries: readonly IdentifiedEntry[],
  names: ReadonlyMap<string, string>,
): readonly AnyEntry[] {
  const named = entries.map((one) =>
    renamed(one, (identity) => names.get(identity), names.get(one.identity) ?? one.originalId),
  );
  named.sort((a, b) => compare(a.timestamp, b.timestamp) || compare(a.id, b.id));
  const byId = new Map(named.map((entry) => [entry.id, entry]));
  return parentsFirst(named, (id) => byId.get(id));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Labels for positions that would be lost, and the navigation to the one that counts. */
function headEntries(
  entries: readonly AnyEntry[],
  heads: readonly Head[],
  names: ReadonlyMap<string, string>,
): readonly AnyEntry[] {
  const sorted = heads.toSorted((a, b) => (isNewer(a.newest, b.newest) ? -1 : 1));
  const [winner, ...others] = sorted;
  if (winner === undefined) return [];
  const tree = treeOf(entries);
  const idOf = (head: Head) => (head.position === null ? null : (names.get(head.position) ?? null));
  const labels = others
    .filter((head, index) =>
      isLost(head, [winner, ...others.slice(0, index)], others.slice(index + 1), tree, idOf),
    )
    .map(
      (head): AnyEntry =>
        mark("label", idOf(head), head.newest, { label: tree.label(idOf(head) ?? "") ?? LABEL }),
    )
    .sort((a, b) => compare(a.id, b.id));
  const position = idOf(winner);
  const isThere = treeOf([...entries, ...labels]).position === position;
  return isThere ? labels : [...labels, mark("leaf", position, winner.newest, {})];
}

/** True for a position that leads on no other head's way. Of equal ones the newer stands for both. */
function isLost(
  head: Head,
  newer: readonly Head[],
  older: readonly Head[],
  tree: EntryTree,
  idOf: (head: Head) => string | null,
): boolean {
  const id = idOf(head);
  if (id === null) return false;
  const isOnWayOf = (other: Head) => tree.path(idOf(other)).some((entry) => entry.id === id);
  return !newer.some(isOnWayOf) && !older.some((other) => idOf(other) !== id && isOnWayOf(other));
}

function mark(
  type: "label" | "leaf",
  targetId: string | null,
  newest: Head["newest"],
  more: object,
): AnyEntry {
  const id = hashOf([type, targetId, newest]).slice(0, ID_CHARS);
  const { timestamp } = newest;
  return {
    type,
    id,
    parentId: targetId,
    timestamp,
    targetId,
    ...more,
    mergeHead: newest,
  } as unknown as AnyEntry;
}

function treeOf(entries: readonly AnyEntry[]): EntryTree {
  const tree = new EntryTree();
  for (const entry of entries) tree.add(entry);
  return tree;
}
