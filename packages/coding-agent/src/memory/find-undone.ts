import {
  isEntry,
  type LinkedEntry,
  type Session,
  type SessionEntry,
  type SessionTreeNode,
} from "@coppice/session";

/** A compaction that is not in force, and where it stands. */
export interface Undone {
  readonly compaction: SessionEntry<"compaction">;
  /** `on_path`: an edit undid it; `here`: it hangs on the position; `behind`: it hangs on an earlier entry of the branch. */
  readonly place: "on_path" | "here" | "behind";
  /** The entry of the branch that the compaction and its edits hang on. */
  readonly anchorId: string | null;
}

interface Candidate extends Undone {
  /** When it was undone, as a place on the branch: what lies later was undone later. */
  readonly order: number;
}

/**
 * The compaction that was undone last on the branch and that nothing newer has replaced; undefined when there is none.
 *
 * Told from the tree alone, so that it outlives a restart. Of the entries only compactions and edits are read.
 */
export async function findUndone(session: Session): Promise<Undone | undefined> {
  const branch = await session.getBranchIds();
  const tree = flatten(await session.getOutline());
  const onPath = await undoneOnPath(session, branch, tree);
  const beside = await besideBranch(session, branch, tree);
  const candidates = [...onPath.candidates, ...beside].filter(({ order }) => order >= onPath.activeAt);
  return candidates.sort((a, b) => b.order - a.order)[0];
}

type Tree = ReadonlyMap<string, LinkedEntry>;

/** In the order of writing among siblings. */
function flatten(roots: readonly SessionTreeNode<LinkedEntry>[]): Tree {
  const tree = new Map<string, LinkedEntry>();
  const open = [...roots].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    tree.set(node.entry.id, node.entry);
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child !== undefined) open.push(child);
    }
  }
  return tree;
}

/** Compactions of the branch that an edit has undone, and the place of the one in force (-1: none is). */
async function undoneOnPath(session: Session, branch: readonly string[], tree: Tree) {
  const places = new Map<string, number>();
  const undoneAt = new Map<string, number>();
  for (const [order, id] of branch.entries()) {
    const type = tree.get(id)?.type;
    if (type === "compaction") places.set(id, order);
    if (type !== "context_edit") continue;
    const edit = await session.getEntry(id);
    if (edit === undefined || !isEntry(edit, "context_edit") || !places.has(edit.targetId)) continue;
    if (edit.replacement === null) undoneAt.set(edit.targetId, order);
    else undoneAt.delete(edit.targetId);
  }
  const activeAt = Math.max(-1, ...[...places].flatMap(([id, order]) => (undoneAt.has(id) ? [] : [order])));
  const candidates: Candidate[] = [];
  for (const [id, order] of undoneAt) {
    const compaction = await session.getEntry(id);
    // One before the compaction in force would come back to nothing.
    if ((places.get(id) ?? -1) < activeAt || compaction === undefined || !isEntry(compaction, "compaction"))
      continue;
    candidates.push({ compaction, place: "on_path", anchorId: compaction.parentId, order });
  }
  return { activeAt, candidates };
}

/** Compactions that hang on the branch without being on it: it was left, or moved back, before them. */
async function besideBranch(
  session: Session,
  branch: readonly string[],
  tree: Tree,
): Promise<readonly Candidate[]> {
  const orders = new Map(branch.map((id, order) => [id, order]));
  const candidates: Candidate[] = [];
  for (const { id, type } of tree.values()) {
    if (type !== "compaction" || orders.has(id)) continue;
    const compaction = await session.getEntry(id);
    if (compaction === undefined || !isEntry(compaction, "compaction")) continue;
    const anchorId = anchorOf(compaction, tree);
    const order = anchorId === null ? undefined : orders.get(anchorId);
    if (order === undefined) continue;
    const place = order === branch.length - 1 ? "here" : "behind";
    // Of several at one place the newest, which comes last, goes first.
    candidates.unshift({ compaction, place, anchorId, order });
  }
  return candidates;
}

/** The entry before a compaction and its own edits. */
function anchorOf(compaction: SessionEntry<"compaction">, tree: Tree): string | null {
  let anchorId = compaction.parentId;
  for (let edits = compaction.checkpoint?.ownEdits ?? 0; edits > 0 && anchorId !== null; edits--) {
    const edit = tree.get(anchorId);
    if (edit?.type !== "context_edit") break;
    anchorId = edit.parentId;
  }
  return anchorId;
}
