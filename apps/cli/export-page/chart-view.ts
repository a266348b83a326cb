import { costText, tokensText } from "./amounts.ts";
import { type ChartLayout, layoutChart, niceStep } from "./chart-layout.ts";
import { element, refill, svgElement } from "./dom.ts";
import type { PageModel } from "./page-model.ts";

const LEFT = 58;
const RIGHT = 14;
const TOP = 12;
const SIZE_HEIGHT = 120;
const GAP = 14;
const COST_HEIGHT = 44;
const BOTTOM = 6;
/** Room beside the first and the last point, for half a bar. */
const INSET = 12;
const HEIGHT = TOP + SIZE_HEIGHT + GAP + COST_HEIGHT + BOTTOM;
const GRID_STEPS = 4;

interface Scale {
  readonly width: number;
  x(index: number): number;
  y(tokens: number): number;
}

export interface ChartView {
  readonly holder: HTMLElement;
  /** Shows a branch; a point of it that is clicked is handed on. */
  show(path: readonly number[]): void;
}

/** Size of the context and cost over a branch: a line with its compactions, and bars. */
export function createChartView(model: PageModel, onChoose: (place: number) => void): ChartView {
  const holder = element("div", { class: "chart" });
  let path: readonly number[] = [];
  const draw = () => {
    const layout = layoutChart(path, (place) => model.entry(place)?.view);
    if (layout.points.length === 0)
      refill(holder, element("p", { class: "quiet" }, "Nobody reported sizes or costs on this branch."));
    else refill(holder, chartPicture(layout, holder.clientWidth || 860, onChoose), caption(layout));
  };
  return {
    holder,
    show(newPath) {
      path = newPath;
      draw();
    },
  };
}

function chartPicture(layout: ChartLayout, width: number, onChoose: (place: number) => void): SVGElement {
  const scale = scaleOf(layout, width);
  const picture = svgElement("svg", {
    class: "chart-picture",
    attributes: {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width: String(width),
      height: String(HEIGHT),
      role: "img",
      "aria-label": "Context size and cost over the branch",
    },
  });
  for (const part of [...gridLines(layout, scale), ...sizeLine(layout, scale), ...costBars(layout, scale)])
    picture.appendChild(part);
  for (const part of compactionMarks(layout, scale)) picture.appendChild(part);
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const share = ((event.clientX - box.left) / (box.width || width)) * width;
    onChoose(layout.points[nearest(layout, scale, share)]?.place ?? -1);
  });
  return picture;
}

function scaleOf({ points, maxTokens }: ChartLayout, width: number): Scale {
  const inner = width - LEFT - RIGHT - 2 * INSET;
  return {
    width,
    x: (index) => LEFT + INSET + (points.length === 1 ? inner / 2 : (inner * index) / (points.length - 1)),
    y: (tokens) => TOP + SIZE_HEIGHT * (1 - tokens / maxTokens),
  };
}

function nearest({ points }: ChartLayout, scale: Scale, x: number): number {
  const first = scale.x(0);
  const last = scale.x(points.length - 1);
  const share = last === first ? 0 : (x - first) / (last - first);
  return Math.min(points.length - 1, Math.max(0, Math.round(share * (points.length - 1))));
}

function gridLines({ maxTokens, maxBarUsd }: ChartLayout, scale: Scale): readonly SVGElement[] {
  const step = niceStep(maxTokens, GRID_STEPS);
  const parts: SVGElement[] = [];
  for (let tokens = 0; tokens <= maxTokens; tokens += step) {
    const y = scale.y(tokens);
    parts.push(line({ class: "grid", x1: LEFT, x2: scale.width - RIGHT, y1: y, y2: y }));
    parts.push(text(tokensText(tokens), LEFT - 6, y + 4, "axis"));
  }
  const base = TOP + SIZE_HEIGHT + GAP + COST_HEIGHT;
  parts.push(line({ class: "grid", x1: LEFT, x2: scale.width - RIGHT, y1: base, y2: base }));
  if (maxBarUsd > 0) parts.push(text(costText(maxBarUsd), LEFT - 6, base - COST_HEIGHT + 9, "axis"));
  return parts;
}

/** One line from answer to answer; it falls where a compaction stands. */
function sizeLine({ points }: ChartLayout, scale: Scale): readonly SVGElement[] {
  const known = points.flatMap(({ tokens }, index) =>
    tokens === undefined ? [] : [`${scale.x(index).toFixed(1)} ${scale.y(tokens).toFixed(1)}`],
  );
  const floor = scale.y(0).toFixed(1);
  const start = scale.x(points.findIndex(({ tokens }) => tokens !== undefined)).toFixed(1);
  const end = scale.x(points.findLastIndex(({ tokens }) => tokens !== undefined)).toFixed(1);
  if (known.length === 0) return [];
  return [
    svgElement("path", {
      class: "size-area",
      attributes: { d: `M${start} ${floor}L${known.join("L")}L${end} ${floor}Z` },
    }),
    svgElement("path", { class: "size-line", attributes: { d: `M${known.join("L")}` } }),
  ];
}

function compactionMarks({ points }: ChartLayout, scale: Scale): readonly SVGElement[] {
  return points.flatMap(({ isCompaction, tokens }, index) => {
    if (!isCompaction) return [];
    const x = scale.x(index);
    const after = points.slice(index + 1).find((point) => point.tokens !== undefined)?.tokens;
    const sizes = [tokens, after].map((size) => (size === undefined ? "?" : tokensText(size))).join(" → ");
    const mark = svgElement("path", {
      attributes: { d: `M${x - 5} ${TOP - 8}L${x + 5} ${TOP - 8}L${x} ${TOP}Z` },
    });
    const stem = line({ class: "stem", x1: x, x2: x, y1: TOP, y2: TOP + SIZE_HEIGHT });
    return [
      svgElement(
        "g",
        { class: "compaction-mark" },
        svgElement("title", {}, `Compaction: ${sizes} tokens`),
        stem,
        mark,
      ),
    ];
  });
}

function costBars({ bars, points, maxBarUsd }: ChartLayout, scale: Scale): readonly SVGElement[] {
  if (maxBarUsd === 0) return [];
  const base = TOP + SIZE_HEIGHT + GAP + COST_HEIGHT;
  const slot = (scale.width - LEFT - RIGHT) / Math.max(1, points.length);
  return bars.map(({ from, to, costUsd }) => {
    const height = (COST_HEIGHT * costUsd) / maxBarUsd;
    const width = Math.max(1, Math.min(18, (to - from) * slot * 0.8));
    const middle = (scale.x(from) + scale.x(to - 1)) / 2;
    const turns = to - from === 1 ? "" : ` over ${to - from} turns`;
    return svgElement(
      "rect",
      { class: "cost-bar", attributes: box(middle - width / 2, base - height, width, height) },
      svgElement("title", {}, `${costText(costUsd)}${turns}`),
    );
  });
}

function caption({ points, maxTokens, totalUsd }: ChartLayout): HTMLElement {
  const compactions = points.filter(({ isCompaction }) => isCompaction).length;
  const parts = [
    `${points.length} turns`,
    `largest context ${tokensText(maxTokens)} tokens`,
    compactions === 1 ? "1 compaction" : `${compactions} compactions`,
    `${costText(totalUsd)} on this branch`,
  ];
  return element("p", { class: "quiet" }, parts.join(" · "));
}

function line({
  class: name,
  ...ends
}: {
  readonly class: string;
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}) {
  return svgElement("line", { class: name, attributes: numbers(ends) });
}

function text(content: string, x: number, y: number, name: string): SVGElement {
  return svgElement(
    "text",
    { class: name, attributes: { ...numbers({ x, y }), "text-anchor": "end" } },
    content,
  );
}

function box(x: number, y: number, width: number, height: number) {
  return numbers({ x, y, width, height });
}

function numbers(values: Readonly<Record<string, number>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.toFixed(1)]));
}
