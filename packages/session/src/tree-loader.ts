import { activeCompaction, latestEdits } from "./context.ts";
import { deriveSessionContextState } from "./context-state.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import { type AnyEntry, isEntry, type SessionEntry } from "./entry.ts";
import type { SessionStorage, StoredPage } from "./storage.ts";
import { EntryTree, ruleOf } from "./tree.ts";

/** A tree read from a storage. */
export interface LoadedTree {
  readonly tree: EntryTree;
  readonly diagnostics: readonly SessionDiagnostic[];
  /** Where the storage ended. */
  readonly end: number;
}

/** Everything that a storage holds. */
export async function loadWhole(storage: SessionStorage): Promise<LoadedTree> {
  return treeOf([await storage.readPage("whole")], false);
}

/**
 * The end of what a storage holds, as far back as the context at the position needs. The stretch doubles from attempt
 * to attempt, so that the cost stays linear in what is needed.
 */
export async function loadTail(storage: SessionStorage): Promise<LoadedTree> {
  const pages = [await storage.readPage()];
  for (let wanted = 1; ; wanted *= 2) {
    let oldest = pages[0] as StoredPage;
    while (oldest.start > 0 && pages.length < wanted) {
      oldest = await storage.readPage(oldest.start);
      pages.unshift(oldest);
    }
    if (oldest.start === 0) return treeOf(pages, false);
    const loaded = treeOf(pages, true);
    if (isContextComplete(loaded.tree)) return loaded;
  }
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
function isContextComplete(tree: EntryTree): boolean {
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
