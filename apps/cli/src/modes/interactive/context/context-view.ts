import type { ContextInspection } from "@coppice/coding-agent";
import type { AnyEntry } from "@coppice/session";
import { type Component, getKeybindings } from "@earendil-works/pi-tui";
import { keyHints, keyText, listHints } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import { previewLines } from "../tree/tree-lines.ts";
import { queryAfter } from "../typed-text.ts";
import { listWindow, movedIndex } from "../views/list-window.ts";
import {
  CONTEXT_FILTERS,
  type ContextFilter,
  type ContextRow,
  type ContextSize,
  contextLine,
  contextRows,
  sourceLines,
} from "./context-rows.ts";

const MAX_VISIBLE = 10;
const PREVIEW_LINES = 2;

/** How the context is looked at; it outlives one opening of the view. */
export interface ContextLook {
  readonly selectedId: string | undefined;
  readonly filter: ContextFilter;
  readonly query: string;
}

export const FIRST_CONTEXT_LOOK: ContextLook = { selectedId: undefined, filter: "this branch", query: "" };

/** What the person wants: to do something with an entry, or to see the request itself. */
export type ContextWish =
  | { readonly kind: "choose"; readonly row: ContextRow; readonly look: ContextLook }
  | { readonly kind: "request"; readonly look: ContextLook };

export interface ContextViewOptions {
  readonly inspection: ContextInspection;
  readonly size: ContextSize;
  readonly entries: ReadonlyMap<string, AnyEntry>;
  readonly look: ContextLook;
  readonly paint: Paint;
  readonly onDone: (wish: ContextWish | undefined) => void;
}

/** What the model sees, entry by entry, with its size, its cost and why it stands there. */
export class ContextView implements Component {
  readonly #options: ContextViewOptions;
  #filter: ContextFilter;
  #query: string;
  #rows: readonly ContextRow[] = [];
  #index = 0;

  constructor(options: ContextViewOptions) {
    this.#options = options;
    this.#filter = options.look.filter;
    this.#query = options.look.query;
    this.#list(options.look.selectedId);
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    const { inspection, size, paint } = this.#options;
    const { from, to } = listWindow(this.#rows.length, this.#index, MAX_VISIBLE);
    const rows = this.#rows
      .slice(from, to)
      .map((row, offset) => contextLine(row, { isSelected: from + offset === this.#index, width, paint }));
    const selected = this.#rows[this.#index];
    const place = this.#rows.length === 0 ? "0" : `${this.#index + 1}/${this.#rows.length}`;
    const query = this.#query === "" ? "" : ` ${paint("accent", `/ ${this.#query}`)}`;
    return [
      "",
      ...sourceLines(inspection, size, paint).map((line) => clipLine(line, width)),
      clipLine(`${paint("dim", `${place} · ${this.#filter}`)}${query}`, width),
      ...(rows.length === 0 ? [paint("dim", "  nothing here")] : rows),
      "",
      clipLine(selected?.reason ?? "", width),
      ...previewLines(selected?.text ?? "", { width, lines: PREVIEW_LINES, paint }),
      clipLine(paint("dim", contextHint()), width),
    ];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const row = this.#rows[this.#index];
    const moved = movedIndex((key) => keys.matches(data, key), {
      ...{ index: this.#index, count: this.#rows.length, page: MAX_VISIBLE },
    });
    const query = queryAfter(this.#query, data);
    const look = { selectedId: row?.entryId, filter: this.#filter, query: this.#query };
    if (keys.matches(data, "tui.select.cancel")) this.#options.onDone(undefined);
    else if (keys.matches(data, "view.request")) this.#options.onDone({ kind: "request", look });
    else if (keys.matches(data, "tui.select.confirm")) {
      if (row !== undefined) this.#options.onDone({ kind: "choose", row, look });
    } else if (moved !== undefined) this.#index = Math.max(0, moved);
    else if (keys.matches(data, "view.filter")) this.#nextFilter(row?.entryId);
    else if (query !== undefined) {
      this.#search(query, query.length < this.#query.length ? row?.entryId : undefined);
    }
  }

  #nextFilter(selectedId: string | undefined): void {
    const next = (CONTEXT_FILTERS.indexOf(this.#filter) + 1) % CONTEXT_FILTERS.length;
    this.#filter = CONTEXT_FILTERS[next] ?? "this branch";
    this.#list(selectedId);
  }

  #search(query: string, selectedId: string | undefined): void {
    this.#query = query;
    this.#list(selectedId);
  }

  /** Without an entry to mark, or where it is not listed, the newest one is marked. */
  #list(selectedId: string | undefined): void {
    const { inspection, entries } = this.#options;
    this.#rows = contextRows(inspection, entries, { filter: this.#filter, query: this.#query });
    const at = this.#rows.findIndex(({ entryId }) => entryId === selectedId);
    this.#index = at === -1 ? Math.max(0, this.#rows.length - 1) : at;
  }
}

function contextHint(): string {
  return keyHints(
    listHints.move(),
    ["type", "to search"],
    [keyText("view.filter"), "filters"],
    listHints.take("acts"),
    [keyText("view.request"), "the exact request"],
    listHints.leave("leaves"),
  );
}
