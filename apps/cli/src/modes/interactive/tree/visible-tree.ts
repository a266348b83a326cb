import type { SessionTreeNode } from "@coppice/session";

/** A node that is shown, and the shown nodes that come after it. */
export interface VisibleNode {
  readonly node: SessionTreeNode;
  readonly parent: VisibleNode | undefined;
  readonly children: VisibleNode[];
}

/**
 * The tree of those nodes that `isShown`; one that is not shown hands its children to the shown node above it.
 *
 * Without recursion: a session is as deep as it is long.
 */
export function visibleTree(
  roots: readonly SessionTreeNode[],
  isShown: (node: SessionTreeNode) => boolean,
): readonly VisibleNode[] {
  const top: VisibleNode[] = [];
  const open = roots.map((node) => ({ node, parent: undefined as VisibleNode | undefined })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    let above = parent;
    if (isShown(node)) {
      above = { node, parent, children: [] };
      (parent?.children ?? top).push(above);
    }
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child !== undefined) open.push({ node: child, parent: above });
    }
  }
  return top;
}

/** How many nodes are below. */
export function sizeBelow(node: VisibleNode): number {
  let size = 0;
  const open = [...node.children];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    size++;
    for (const child of next.children) open.push(child);
  }
  return size;
}
