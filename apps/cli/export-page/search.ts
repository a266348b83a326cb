import { entryText } from "./entry-text.ts";
import type { PageModel } from "./page-model.ts";

export interface SearchHit {
  readonly place: number;
  /** What stands around the first place where it is found. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface SearchResult {
  /** Entries that hold it. */
  readonly count: number;
  /** The first of them, in the order of writing. */
  readonly hits: readonly SearchHit[];
}

const BEFORE_CHARACTERS = 40;
const AFTER_CHARACTERS = 90;

/** Finds text in every entry of every branch, without regard to case. The texts are gathered once, at the first search. */
export function createSearch(model: PageModel): (query: string, maxHits: number) => SearchResult {
  let texts: readonly { readonly text: string; readonly folded: string }[] | undefined;
  return (query, maxHits) => {
    const wanted = query.trim().toLowerCase();
    if (wanted === "") return { count: 0, hits: [] };
    texts ??= model.data.entries.map(({ view, label = "" }) => {
      const text = `${entryText(view)}\n${label}`;
      return { text, folded: text.toLowerCase() };
    });
    const hits: SearchHit[] = [];
    let count = 0;
    texts.forEach(({ text, folded }, place) => {
      const at = folded.indexOf(wanted);
      if (at === -1) return;
      count += 1;
      if (hits.length < maxHits) hits.push(hitAt(text, place, at, wanted.length));
    });
    return { count, hits };
  };
}

function hitAt(text: string, place: number, at: number, length: number): SearchHit {
  return {
    place,
    before: text.slice(Math.max(0, at - BEFORE_CHARACTERS), at),
    match: text.slice(at, at + length),
    after: text.slice(at + length, at + length + AFTER_CHARACTERS),
  };
}
