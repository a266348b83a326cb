import { activeCompaction, latestEdits } from "./context.ts";
import { deriveSessionContextState } from "./context-state.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import { type AnyEntry, isEntry, type SessionEntry } from "./entry.ts";
import type { Outline } from "./outline.ts";
import type { SessionStorage, StoredPage } from "./storage.ts";
import { readEntries } from "./storage-pages.ts";
import { EntryTree, ruleOf } from "./tree.ts";

/** A tree read from a storage. */
export interface LoadedTree {
  readonly tree: EntryTree;
  readonly diagnostics: readonly SessionDiagnostic[];
  /** Where the storage ended. */
  readonly end: number;
}

/** Pages without a compaction in sight after which the outline is the cheaper way. */
const MAX_TAIL_PAGES = 64;
/** Most contexts are small: the first pages are, too, up to a MiB. */
const BRIEF_PAGES = 16;
const FIRST_PATH_ENTRIES = 64;

/**
 * The end of what a storage holds, as far back as the context at the position needs; undefined where that cannot be
 * told from the end, because of damage or because it is too far away. Small storages are read whole.
 */
export async function loadTail(storage: Pick<SessionStorage, "readPage">): Promise<LoadedTree | undefined> {
  const pages: StoredPage[] = [];
  const boundaries = new Set<string>();
  for (let wanted = 1; ; wanted *= 4) {
    let isWorthALook = false;
    do {
      const before = pages[0] === undefined ? {} : { before: pages[0].start };
      const page = await storage.readPage({ ...before, isBrief: pages.length < BRIEF_PAGES });
      pages.unshift(page);
      if (page.start === 0) return treeOf(pages, false);
      isWorthALook = holdsCompactionOr(boundaries, page);
    } while (pages.length < wanted && !isWorthALook);
    const loaded = treeOf(pages, true);
    if (isContextComplete(loaded.tree)) return loaded;
    const isDamaged = pages.some(({ items }) => items.some(({ kind }) => kind === "damage"));
    if (isDamaged || pages.length >= MAX_TAIL_PAGES) return undefined;
  }
}

/** The entries that the context at the outline's position needs, read from their places. */
export async function loadPosition(storage: SessionStorage, outline: Outline): Promise<LoadedTree> {
  const path = outline.tree.path(outline.tree.position);
  const broken = path.filter((entry) => outline.tree.hasGapBefore(entry));
  const bridges = new Map(broken.map((entry) => [entry.id, outline.tree.parentOf(entry)]));
  let entries: readonly AnyEntry[] = [];
  for (let wanted = FIRST_PATH_ENTRIES; ; wanted *= 2) {
    const known = Math.min(path.length, wanted / 2 < FIRST_PATH_ENTRIES ? 0 : wanted / 2);
    const more = await readEntries(storage, path.slice(-wanted, path.length - known));
    entries = [...more, ...entries];
    const tree = new EntryTree({ isPartial: true, bridges });
    for (const entry of entries) tree.add(entry);
    if (wanted >= path.length || isContextComplete(tree)) {
      return { tree, diagnostics: [], end: outline.end };
    }
  }
}

/** True for a page with a compaction, whose boundary is then known, or with the boundary of one that came after it. */
function holdsCompactionOr(boundaries: Set<string>, { items }: StoredPage): boolean {
  let holds = false;
  for (const item of items.toReversed()) {
    if (item.kind !== "entry") continue;
    const { entry } = item;
    if (boundaries.has(entry.id)) holds = true;
    if (!isEntry(entry, "compaction")) continue;
    boundaries.add(entry.firstKeptEntryId);
    holds = true;
  }
  return holds;
}

function treeOf(pages: readonly StoredPage[], isPartial: boolean): LoadedTree {
  const tree = new EntryTree({ isPartial });
  for (const { items } of pages) {
    for (const item of items) {
      if (item.kind === "entry") tree.add(item.entry);
      else tree.addDamage(item.damage);
    }
  }
  return { tree, diagnostics: pages.flatMap((page) => page.diagnostics), end: pages.at(-1)?.end ?? 0 };
}

/** True when nothing before the first entry of a partial tree can change the context at its position. */
export function isContextComplete(tree: EntryTree): boolean {
  if (!isPositionKnown(tree)) return false;
  const path = tree.path(tree.position);
  if (path[0]?.parentId === null) return true;
  const edits = latestEdits(path);
  const compaction = activeCompaction(path, edits);
  return compaction !== undefined && hasBoundary(path, compaction) && isStateKnown(path, compaction);
}

/** Some entry must have set the position, and every navigation must lead to an entry that is here. */
function isPositionKnown(tree: EntryTree): boolean {
  const isSet = tree.entries.some((entry) => ruleOf(entry.type).moves === "self");
  return isSet && tree.diagnostics.every(({ code }) => code !== "unknown_target");
}

function hasBoundary(path: readonly AnyEntry[], compaction: SessionEntry<"compaction">): boolean {
  if (compaction.retainedTail !== undefined || compaction.firstKeptEntryId === compaction.id) return true;
  return path.some(({ id }) => id === compaction.firstKeptEntryId);
}

/** A checkpoint vouches for all that came before it; without one, each part must have been found. */
function isStateKnown(path: readonly AnyEntry[], compaction: SessionEntry<"compaction">): boolean {
  if (compaction.checkpoint !== undefined) return true;
  const state = deriveSessionContextState(path);
  const isLevelChosen = path.some((entry) => isEntry(entry, "thinking_level_change"));
  return state.model !== undefined && isLevelChosen && compaction.systemMessage !== undefined;
}
