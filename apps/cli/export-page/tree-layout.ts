/** A tree as far as the picture of it needs to know: places, -1 stands before the first. */
export interface LayoutTree {
  readonly count: number;
  children(place: number): readonly number[];
  /** False for places that the picture leaves out; what hangs on them moves up. */
  isShown(place: number): boolean;
  /** True for the way that goes straight on where several lead away. */
  isOnWay(place: number): boolean;
}

export interface TreeRow {
  readonly place: number;
  readonly row: number;
  /** Column, from 0. */
  readonly lane: number;
}

/** A straight line in a lane, from one row to a later one. */
export interface TreeLine {
  readonly lane: number;
  readonly from: number;
  readonly to: number;
  readonly isOnWay: boolean;
}

/** The way from a lane into the next, which ends at `row`. */
export interface TreeTurn {
  readonly row: number;
  readonly fromLane: number;
  readonly toLane: number;
}

export interface TreeLayout {
  /** By row. */
  readonly rows: readonly TreeRow[];
  readonly lines: readonly TreeLine[];
  readonly turns: readonly TreeTurn[];
  readonly rowOf: ReadonlyMap<number, number>;
}

interface Step {
  readonly place: number;
  readonly lane: number;
  readonly parentRow: number;
  readonly parentLane: number;
}

/**
 * Rows and lines of a tree, top to bottom. Where ways part, the side ways stand between the fork and the way that goes
 * on, one lane further to the right each level; the way that goes on keeps its lane.
 */
export function layoutTree(tree: LayoutTree): TreeLayout {
  const rows: TreeRow[] = [];
  const lines: TreeLine[] = [];
  const turns: TreeTurn[] = [];
  const rowOf = new Map<number, number>();
  const open: Step[] = steps(tree, -1, { row: -1, lane: 0 });
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { place, lane, parentRow, parentLane } = step;
    const row = rows.length;
    rows.push({ place, row, lane });
    rowOf.set(place, row);
    if (parentRow >= 0) {
      if (lane === parentLane)
        extend(lines, { lane, from: parentRow, to: row, isOnWay: tree.isOnWay(place) });
      else {
        extend(lines, { lane: parentLane, from: parentRow, to: row - 1, isOnWay: false });
        turns.push({ row, fromLane: parentLane, toLane: lane });
      }
    }
    open.push(...steps(tree, place, { row, lane }));
  }
  return { rows, lines, turns, rowOf };
}

/** What follows a place, the last of it first: it is taken from the end. */
function steps(tree: LayoutTree, place: number, at: { readonly row: number; readonly lane: number }): Step[] {
  const below = shownBelow(tree, place);
  const straight = below.find((child) => tree.isOnWay(child)) ?? below.at(-1);
  const sides = below.filter((child) => child !== straight);
  const ordered = straight === undefined ? sides : [...sides, straight];
  return ordered
    .map((child) => ({
      place: child,
      lane: child === straight ? at.lane : at.lane + 1,
      parentRow: at.row,
      parentLane: at.lane,
    }))
    .reverse();
}

function shownBelow(tree: LayoutTree, place: number): readonly number[] {
  const found: number[] = [];
  const open = [...tree.children(place)].reverse();
  for (let child = open.pop(); child !== undefined; child = open.pop()) {
    if (tree.isShown(child)) found.push(child);
    else open.push(...[...tree.children(child)].reverse());
  }
  return found;
}

/** Lines that continue one another become one, so that their number is that of the branches and not of the entries. */
function extend(lines: TreeLine[], line: TreeLine): void {
  if (line.to <= line.from) return;
  const last = lines.at(-1);
  if (
    last !== undefined &&
    last.lane === line.lane &&
    last.to === line.from &&
    last.isOnWay === line.isOnWay
  ) {
    lines[lines.length - 1] = { ...last, to: line.to };
  } else lines.push(line);
}
