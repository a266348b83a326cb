import type { ExportData, ExportEntry } from "../src/export/export-data.ts";

/** The tree of a page: entries are named by their place among them, -1 is what stands before the first. */
export interface PageModel {
  readonly data: ExportData;
  entry(place: number): ExportEntry | undefined;
  placeOf(id: string): number | undefined;
  /** In the order of writing. */
  children(place: number): readonly number[];
  /** Root → `leaf`. */
  path(leaf: number): readonly number[];
  /** The end of the tree that one comes to from here by always taking the newest way; the current branch goes first. */
  leafBelow(place: number): number;
  /** Answers to calls on the way to a leaf: place of the result by the call's id, and the other way round. */
  results(path: readonly number[]): CallResults;
}

export interface CallResults {
  readonly byCall: ReadonlyMap<string, number>;
  /** Places that stand in the card of their call. */
  readonly inCards: ReadonlySet<number>;
}

export function createPageModel(data: ExportData): PageModel {
  const { entries, branches } = data;
  const places = new Map(entries.map(({ id }, place) => [id, place]));
  const children = new Map<number, number[]>();
  entries.forEach(({ parent }, place) => {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [place]);
    else siblings.push(place);
  });
  const childrenOf = (place: number): readonly number[] => children.get(place) ?? [];

  function path(leaf: number): readonly number[] {
    const places: number[] = [];
    for (let at = leaf; at >= 0; at = entries[at]?.parent ?? -1) places.push(at);
    return places.reverse();
  }

  const current = new Set(path(branches[0]?.leaf ?? -1));

  function leafBelow(place: number): number {
    let at = place;
    for (;;) {
      const below = childrenOf(at);
      const next = below.find((child) => current.has(child)) ?? below.at(-1);
      if (next === undefined) return at;
      at = next;
    }
  }

  return {
    data,
    entry: (place) => entries[place],
    placeOf: (id) => places.get(id),
    children: childrenOf,
    path,
    leafBelow,
    results: (way) => callResults(way, entries),
  };
}

/** A result belongs to the latest call of its id before it. */
function callResults(path: readonly number[], entries: readonly ExportEntry[]): CallResults {
  const open = new Set<string>();
  const byCall = new Map<string, number>();
  const inCards = new Set<number>();
  for (const place of path) {
    const view = entries[place]?.view;
    if (view?.kind === "answer") {
      for (const part of view.parts) if (part.type === "call") open.add(part.callId);
    }
    if (view?.kind !== "result" || !open.has(view.callId) || byCall.has(view.callId)) continue;
    byCall.set(view.callId, place);
    inCards.add(place);
  }
  return { byCall, inCards };
}
