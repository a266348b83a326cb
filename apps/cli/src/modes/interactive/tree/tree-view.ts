import { entryText, type SessionTreeNode } from "@coppice/session";
import { type Component, getKeybindings } from "@earendil-works/pi-tui";
import { keyHints, keyPairText, keyText, listHints } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import { queryAfter } from "../typed-text.ts";
import { listWindow, movedIndex } from "../views/list-window.ts";
import { previewLines, TREE_LEGEND, treeLine } from "./tree-lines.ts";
import { TREE_FILTERS, type TreeFilter } from "./tree-row.ts";
import { type TreeRow, treeRows } from "./tree-rows.ts";

const MAX_VISIBLE = 14;
const PREVIEW_LINES = 3;

/** How the tree is looked at; it outlives one opening of the view. */
export interface TreeLook {
  readonly selectedId: string | undefined;
  readonly filter: TreeFilter;
  readonly query: string;
  readonly folded: ReadonlySet<string>;
}

export const FIRST_LOOK: TreeLook = {
  selectedId: undefined,
  filter: "conversation",
  query: "",
  folded: new Set(),
};

/** What the person wants with an entry. */
export interface TreeWish {
  readonly kind: "choose" | "label";
  readonly entryId: string;
  /** What it is labelled by now. */
  readonly label: string | undefined;
  /** To look at the tree in the same way again. */
  readonly look: TreeLook;
}

export interface TreeViewOptions {
  readonly roots: readonly SessionTreeNode[];
  readonly leafId: string | null;
  readonly look: TreeLook;
  readonly title: string;
  readonly paint: Paint;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly onDone: (wish: TreeWish | undefined) => void;
}

/** The session as a tree: keys move, fold, filter, label and choose; typing searches. */
export class TreeView implements Component {
  readonly #options: TreeViewOptions;
  readonly #texts = new Map<string, SessionTreeNode["entry"]>();
  #look: TreeLook;
  #rows: readonly TreeRow[] = [];
  #index = 0;

  constructor(options: TreeViewOptions) {
    this.#options = options;
    this.#look = options.look;
    const open = [...options.roots];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.#texts.set(next.entry.id, next.entry);
      for (const child of next.children) open.push(child);
    }
    this.#lookAgain({}, options.look.selectedId ?? options.leafId ?? undefined);
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    const { paint, title, now } = this.#options;
    const { filter, query } = this.#look;
    const { from, to } = listWindow(this.#rows.length, this.#index, MAX_VISIBLE);
    const nowMs = now();
    const rows = this.#rows
      .slice(from, to)
      .map((row, offset) =>
        treeLine(row, { isSelected: from + offset === this.#index, width, nowMs, paint }),
      );
    const selected = this.#texts.get(this.#rows[this.#index]?.id ?? "");
    const place = this.#rows.length === 0 ? "0" : `${this.#index + 1}/${this.#rows.length}`;
    return [
      "",
      clipLine(
        `${title} ${paint("dim", `${place} · ${filter}`)}${query === "" ? "" : ` ${paint("accent", `/ ${query}`)}`}`,
        width,
      ),
      ...(rows.length === 0 ? [clipLine(paint("dim", `  ${emptyText()}`), width)] : rows),
      "",
      ...previewLines(selected === undefined ? "" : entryText(selected), {
        width,
        lines: PREVIEW_LINES,
        paint,
      }),
      clipLine(paint("dim", TREE_LEGEND), width),
      clipLine(paint("dim", treeHint()), width),
    ];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const row = this.#rows[this.#index];
    const moved = movedIndex((key) => keys.matches(data, key), {
      ...{ index: this.#index, count: this.#rows.length, page: MAX_VISIBLE },
    });
    const { filter } = this.#look;
    const query = queryAfter(this.#look.query, data);
    if (keys.matches(data, "tui.select.cancel")) this.#options.onDone(undefined);
    else if (keys.matches(data, "tui.select.confirm")) this.#wish("choose", row);
    else if (keys.matches(data, "view.label")) this.#wish("label", row);
    else if (moved !== undefined) this.#index = Math.max(0, moved);
    else if (keys.matches(data, "view.fold")) this.#fold(row);
    else if (keys.matches(data, "view.unfold")) this.#unfold(row);
    else if (keys.matches(data, "view.filter")) this.#lookAgain({ filter: nextFilter(filter) }, row?.id);
    else if (query !== undefined) this.#search(query);
  }

  #wish(kind: TreeWish["kind"], row: TreeRow | undefined): void {
    if (row === undefined) return;
    const look = { ...this.#look, selectedId: row.id };
    this.#options.onDone({ kind, entryId: row.id, label: row.label, look });
  }

  /** A new search marks its newest match; what is deleted again leaves the mark where it is. */
  #search(query: string): void {
    const isNarrower = query.length > this.#look.query.length;
    const selected = this.#rows[this.#index]?.id;
    this.#lookAgain({ query }, isNarrower ? undefined : selected);
    if (isNarrower && this.#look.query !== "") this.#index = Math.max(0, this.#rows.length - 1);
  }

  /** On a row that is folded or has nothing below: goes to where its branch begins. */
  #fold(row: TreeRow | undefined): void {
    if (row === undefined) return;
    if (row.folded === 0) {
      this.#lookAgain({ folded: new Set([...this.#look.folded, row.id]) }, row.id);
      if (this.#rows[this.#index]?.folded !== 0) return;
      this.#unfold(row);
    }
    this.#index = Math.max(
      0,
      this.#rows.findLastIndex(({ guides }, at) => at < this.#index && guides.length < row.guides.length),
    );
  }

  #unfold(row: TreeRow | undefined): void {
    if (row === undefined) return;
    const folded = new Set(this.#look.folded);
    folded.delete(row.id);
    this.#lookAgain({ folded }, row.id);
  }

  /** Draws up the rows anew and keeps the mark on its row, or on the nearest one before it that is still there. */
  #lookAgain(change: Partial<TreeLook>, selectedId: string | undefined): void {
    const before = this.#rows.slice(0, this.#index + 1).reverse();
    this.#look = { ...this.#look, ...change };
    const { roots, leafId } = this.#options;
    const { filter, query, folded } = this.#look;
    this.#rows = treeRows({ roots, leafId, filter, query, folded });
    const at = new Map(this.#rows.map(({ id }, index) => [id, index]));
    const found = [selectedId, ...before.map(({ id }) => id)].find((id) => id !== undefined && at.has(id));
    this.#index = found === undefined ? Math.max(0, this.#rows.length - 1) : (at.get(found) ?? 0);
  }
}

function treeHint(): string {
  return keyHints(
    listHints.move(),
    [keyPairText("view.fold", "view.unfold"), "fold"],
    ["type", "to search"],
    [keyText("view.filter"), "filters"],
    [keyText("view.label"), "labels"],
    listHints.take("chooses"),
    listHints.leave("leaves"),
  );
}

function emptyText(): string {
  return ["nothing here", keyHints([keyText("view.filter"), "shows other kinds"])].filter(Boolean).join("; ");
}

function nextFilter(filter: TreeFilter): TreeFilter {
  return TREE_FILTERS[(TREE_FILTERS.indexOf(filter) + 1) % TREE_FILTERS.length] ?? "conversation";
}
