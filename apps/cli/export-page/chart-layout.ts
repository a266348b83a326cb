import type { EntryView, ExportUsage } from "../src/export/export-data.ts";

/** A moment of a branch that changed the context or cost something. */
export interface ChartPoint {
  readonly place: number;
  /** Size of the context after it; undefined where nobody reported one. */
  readonly tokens: number | undefined;
  readonly costUsd: number;
  readonly isCompaction: boolean;
}

/** Costs of neighbouring moments, added up. */
export interface ChartBar {
  readonly place: number;
  readonly from: number;
  readonly to: number;
  readonly costUsd: number;
}

export interface ChartLayout {
  readonly points: readonly ChartPoint[];
  readonly bars: readonly ChartBar[];
  readonly maxTokens: number;
  readonly maxBarUsd: number;
  readonly totalUsd: number;
}

/** More bars than this cannot be told apart. */
const MAX_BARS = 160;

/** What a branch's chart shows, oldest first. Pure. */
export function layoutChart(
  path: readonly number[],
  viewOf: (place: number) => EntryView | undefined,
): ChartLayout {
  const points = path.flatMap((place) => chartPoint(place, viewOf(place)) ?? []);
  const bars = barsOf(points);
  return {
    points,
    bars,
    maxTokens: Math.max(1, ...points.map(({ tokens }) => tokens ?? 0)),
    maxBarUsd: Math.max(0, ...bars.map(({ costUsd }) => costUsd)),
    totalUsd: points.reduce((sum, { costUsd }) => sum + costUsd, 0),
  };
}

function chartPoint(place: number, view: EntryView | undefined): ChartPoint | undefined {
  if (view?.kind === "answer" && view.usage !== undefined) {
    return { place, tokens: sizeOf(view.usage), costUsd: view.usage.costUsd, isCompaction: false };
  }
  if (view?.kind !== "summary" || (view.of === "branch" && view.usage === undefined)) return undefined;
  return {
    place,
    // Its size is known with the next answer; the line ends at what was before.
    tokens: view.of === "compaction" ? view.tokensBefore : undefined,
    costUsd: view.usage?.costUsd ?? 0,
    isCompaction: view.of === "compaction",
  };
}

function sizeOf(usage: ExportUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
}

function barsOf(points: readonly ChartPoint[]): readonly ChartBar[] {
  const perBar = Math.max(1, Math.ceil(points.length / MAX_BARS));
  const bars: ChartBar[] = [];
  for (let from = 0; from < points.length; from += perBar) {
    const part = points.slice(from, from + perBar);
    const costUsd = part.reduce((sum, point) => sum + point.costUsd, 0);
    bars.push({ place: part[0]?.place ?? -1, from, to: from + part.length, costUsd });
  }
  return bars;
}

/** A round number of the form 1, 2 or 5 times a power of ten, of which at most `maxSteps` fit below `max`. */
export function niceStep(max: number, maxSteps: number): number {
  const rough = max / maxSteps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return factor * power;
}
