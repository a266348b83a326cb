import type { EntryView } from "../src/export/export-data.ts";
import { element, svgElement } from "./dom.ts";
import { entryTitle } from "./entry-text.ts";
import type { PageModel } from "./page-model.ts";
import { plainLine } from "./shown-text.ts";
import { layoutTree, type TreeLayout, type TreeRow } from "./tree-layout.ts";

const ROW_HEIGHT = 22;
const LANE_WIDTH = 14;
const LEFT = 14;
/** Deeper lanes share the last column: the text must stay in sight. */
const MAX_LANE = 12;
/** Rows beyond the visible ones, so that scrolling shows no gap. */
const SPARE_ROWS = 20;
const TITLE_CHARACTERS = 70;

/** Which entries the picture shows. */
export const TREE_FILTERS = ["prompts", "messages", "everything"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];

export interface TreeView {
  readonly holder: HTMLElement;
  /** Marks the branch and the entry that are shown. */
  mark(path: readonly number[], place: number | undefined): void;
  setFilter(filter: TreeFilter): void;
  /** Scrolls so that an entry's row is in sight. */
  bringIntoSight(place: number): void;
}

/** The session's tree as a picture; only the rows in sight are in the document. */
export function createTreeView(model: PageModel, onChoose: (place: number) => void): TreeView {
  const picture = svgElement("svg", {
    class: "tree-picture",
    attributes: { role: "img", "aria-label": "The session's tree" },
  });
  const holder = element("div", { class: "tree-scroll", attributes: { tabindex: "0" } }, picture);
  const current = new Set(model.path(model.data.branches[0]?.leaf ?? -1));
  let layout: TreeLayout = layoutTree(treeOf(model, current, "messages"));
  let onPath: ReadonlySet<number> = current;
  let marked: number | undefined;

  function draw(): void {
    // Without a screen there is neither height nor scrolling.
    const height = holder.clientHeight || 600;
    const top = holder.scrollTop || 0;
    const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - SPARE_ROWS);
    const last = Math.min(layout.rows.length - 1, Math.ceil((top + height) / ROW_HEIGHT) + SPARE_ROWS);
    const total = layout.rows.length * ROW_HEIGHT + ROW_HEIGHT;
    picture.setAttribute("height", String(total));
    picture.textContent = "";
    for (const line of linesIn(layout, first, last)) picture.appendChild(line);
    for (const row of layout.rows.slice(first, last + 1)) picture.appendChild(rowElement(row));
  }

  function rowElement(row: TreeRow): SVGElement {
    const entry = model.entry(row.place);
    const view: EntryView = entry?.view ?? { kind: "note", title: "" };
    const x = laneX(row.lane);
    const y = rowY(row.row);
    const names = [
      "tree-row",
      view.kind,
      onPath.has(row.place) ? "on-path" : "",
      row.place === marked ? "marked" : "",
    ];
    const label = entry?.label === undefined ? "" : `⚑ ${plainLine(entry.label, 30)} `;
    const title = entryTitle(view).slice(0, TITLE_CHARACTERS);
    return svgElement(
      "g",
      {
        class: names.filter((name) => name !== "").join(" "),
        attributes: { role: "link" },
        onClick: () => onChoose(row.place),
      },
      svgElement("title", {}, `${label}${entryTitle(view)}`),
      svgElement("rect", {
        class: "hit",
        attributes: { x: "0", y: String(y - ROW_HEIGHT / 2), width: "100%", height: String(ROW_HEIGHT) },
      }),
      shapeOf(view, x, y),
      svgElement(
        "text",
        { attributes: { x: String(x + 12), y: String(y + 4) } },
        label === "" ? undefined : svgElement("tspan", { class: "tree-label" }, label),
        title,
      ),
    );
  }

  holder.addEventListener("scroll", () => draw());
  draw();
  return {
    holder,
    mark(path, place) {
      onPath = new Set(path);
      marked = place;
      draw();
    },
    setFilter(filter) {
      layout = layoutTree(treeOf(model, current, filter));
      draw();
    },
    bringIntoSight(place) {
      const row = layout.rowOf.get(place);
      if (row === undefined) return;
      const top = row * ROW_HEIGHT;
      const height = holder.clientHeight || 600;
      if (top < holder.scrollTop + ROW_HEIGHT || top > holder.scrollTop + height - ROW_HEIGHT * 2) {
        holder.scrollTop = Math.max(0, top - height / 2);
      }
      draw();
    },
  };
}

function treeOf(model: PageModel, current: ReadonlySet<number>, filter: TreeFilter) {
  return {
    count: model.data.entries.length,
    children: model.children,
    isOnWay: (place: number) => current.has(place),
    isShown(place: number) {
      const entry = model.entry(place);
      if (entry === undefined) return false;
      if (filter === "everything" || entry.label !== undefined) return true;
      const { kind } = entry.view;
      if (kind === "prompt" || kind === "summary") return true;
      return filter === "messages" && (kind === "answer" || kind === "command" || kind === "message");
    },
  };
}

function linesIn({ lines, turns }: TreeLayout, first: number, last: number): readonly SVGElement[] {
  const straight = lines
    .filter(({ from, to }) => to >= first && from <= last)
    .map(({ lane, from, to, isOnWay }) =>
      svgElement("line", {
        class: isOnWay ? "tree-line on-way" : "tree-line",
        attributes: {
          x1: String(laneX(lane)),
          x2: String(laneX(lane)),
          y1: String(rowY(Math.max(from, first - 1))),
          y2: String(rowY(Math.min(to, last + 1))),
        },
      }),
    );
  const curved = turns
    .filter(({ row }) => row >= first && row <= last + 1)
    .map(({ row, fromLane, toLane }) => {
      const [x, y, endX, endY] = [laneX(fromLane), rowY(row - 1), laneX(toLane), rowY(row)];
      const middle = (y + endY) / 2;
      return svgElement("path", {
        class: "tree-line",
        attributes: { d: `M${x} ${y}C${x} ${middle + 6} ${endX} ${middle - 6} ${endX} ${endY}` },
      });
    });
  return [...straight, ...curved];
}

function shapeOf(view: EntryView, x: number, y: number): SVGElement {
  if (view.kind !== "summary") {
    const radius = view.kind === "prompt" ? "5" : "3.5";
    return svgElement("circle", { class: "dot", attributes: { cx: String(x), cy: String(y), r: radius } });
  }
  return svgElement("path", {
    class: "dot",
    attributes: { d: `M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z` },
  });
}

function laneX(lane: number): number {
  return LEFT + Math.min(lane, MAX_LANE) * LANE_WIDTH;
}

function rowY(row: number): number {
  return row * ROW_HEIGHT + ROW_HEIGHT / 2 + 4;
}
