import { entryText, type SessionTreeNode } from "@coppice/session";
import { kindOf, lineOf, passesFilter, type RowKind, type TreeFilter } from "./tree-row.ts";
import { sizeBelow, type VisibleNode, visibleTree } from "./visible-tree.ts";

/** Deeper branches are not indented further: the text must stay readable. */
const MAX_GUIDES = 8;

export interface TreeRow {
  readonly id: string;
  /** Lines of the branches that it hangs on. */
  readonly guides: string;
  readonly kind: RowKind;
  /** One line, untrusted. */
  readonly text: string;
  /** Untrusted. */
  readonly label: string | undefined;
  /** ISO 8601, as the file has it. */
  readonly timestamp: string;
  /** The session stands here. */
  readonly isHere: boolean;
  /** It lies on the way to where the session stands. */
  readonly isOnPath: boolean;
  /** Rows that are folded away behind it. */
  readonly folded: number;
}

export interface TreeRowsOptions {
  readonly roots: readonly SessionTreeNode[];
  /** Where the session stands. */
  readonly leafId: string | null;
  readonly filter: TreeFilter;
  /** Words that an entry must hold, all of them; empty = any. */
  readonly query: string;
  /** Ids of rows whose branch is folded. */
  readonly folded: ReadonlySet<string>;
}

/**
 * The session as rows, a branch below the row that it leaves. A row that has one follower goes on at the same depth:
 * only where ways part is there a new column. The row where the session stands is always shown.
 */
export function treeRows({ roots, leafId, filter, query, folded }: TreeRowsOptions): readonly TreeRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (node: SessionTreeNode) => {
    if (words.length === 0) return true;
    const text = `${node.label ?? ""}\n${kindOf(node.entry)}\n${entryText(node.entry)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const isShown = (node: SessionTreeNode) =>
    (words.length === 0 && node.entry.id === leafId) || (passesFilter(node, filter) && isFound(node));
  const top = visibleTree(roots, isShown);
  const onPath = pathIds(roots, leafId);
  const rows: TreeRow[] = [];
  const open: Open[] = branches(top, { guides: "", depth: 0 }).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { visible, guides, below, depth } = next;
    const { entry, label } = visible.node;
    const isFolded = folded.has(entry.id) && visible.children.length > 0;
    rows.push({
      ...{
        id: entry.id,
        guides,
        label,
        kind: kindOf(entry),
        text: lineOf(entry),
        timestamp: entry.timestamp,
      },
      isHere: entry.id === leafId,
      isOnPath: onPath.has(entry.id),
      folded: isFolded ? sizeBelow(visible) : 0,
    });
    if (isFolded) continue;
    for (const branch of branches(visible.children, { guides: below, depth }).reverse()) open.push(branch);
  }
  return rows;
}

interface Open {
  readonly visible: VisibleNode;
  /** Of its own row. */
  readonly guides: string;
  /** Of the rows that follow it. */
  readonly below: string;
  readonly depth: number;
}

/** One follower goes on in the same column; several get one each. */
function branches(
  children: readonly VisibleNode[],
  { guides, depth }: { readonly guides: string; readonly depth: number },
): Open[] {
  const isParting = children.length > 1 && depth < MAX_GUIDES;
  return children.map((visible, index) => {
    if (!isParting) return { visible, guides, below: guides, depth };
    const isLast = index === children.length - 1;
    return {
      visible,
      guides: `${guides}${isLast ? "└─" : "├─"}`,
      below: `${guides}${isLast ? "  " : "│ "}`,
      depth: depth + 1,
    };
  });
}

/** Ids from the root to where the session stands. */
function pathIds(roots: readonly SessionTreeNode[], leafId: string | null): ReadonlySet<string> {
  const parents = new Map<string, string | null>();
  const open = [...roots];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    parents.set(next.entry.id, next.entry.parentId);
    for (const child of next.children) open.push(child);
  }
  const ids = new Set<string>();
  for (let id = leafId; id !== null && !ids.has(id); id = parents.get(id) ?? null) ids.add(id);
  return ids;
}
