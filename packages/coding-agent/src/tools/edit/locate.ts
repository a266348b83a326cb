import { type FoldedText, type Folding, foldText } from "./fold.ts";

/** Where an old text is in a file; `folding` says how far it had to be forgiven. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly folding: "none" | Folding;
}

export type Location =
  | { readonly kind: "found"; readonly place: Place }
  | { readonly kind: "missing" }
  /** 1-based lines of the first occurrences, each once; `hasMoreLines` when others may have some too. */
  | {
      readonly kind: "ambiguous";
      readonly lines: readonly number[];
      readonly hasMoreLines: boolean;
      readonly count: number;
    };

const MAX_REPORTED_LINES = 5;
/** Occurrences whose lines are looked up; each look-up passes over the file. */
const MAX_LOOKED_UP = 20;
/** Counting goes no further: more than one is too many anyway. */
const MAX_OCCURRENCES = 100;
/** Folding takes about 20 bytes of memory a character; larger files are only matched exactly. */
const MAX_FOLDED_CHARACTERS = 16_000_000;

/** Finds texts in one original; the folded forms of the original are made once. */
export class Locator {
  readonly #original: string;
  readonly #folded = new Map<Folding, FoldedText>();

  constructor(original: string) {
    this.#original = original;
  }

  /**
   * Where `oldText` is, which must be one place only. Exact matches go first; forgiving line endings, then typography,
   * only where nothing matched more strictly. Occurrences that overlap one another count.
   */
  locate(oldText: string): Location {
    const exact = occurrences(this.#original, oldText);
    if (exact.length > 0)
      return this.#decide(exact.map((start) => ({ start, end: start + oldText.length, folding: "none" })));
    if (this.#original.length > MAX_FOLDED_CHARACTERS) return { kind: "missing" };
    for (const folding of ["line-endings", "typography"] as const) {
      // White space alone says nothing when it is forgiven.
      if (folding === "typography" && oldText.trim() === "") break;
      const places = this.#foldedPlaces(oldText, folding);
      if (places.length > 0) return this.#decide(places);
    }
    return { kind: "missing" };
  }

  #foldedPlaces(oldText: string, folding: Folding): readonly Place[] {
    const folded = this.#folded.get(folding) ?? foldText(this.#original, folding);
    this.#folded.set(folding, folded);
    const wanted = foldText(oldText, folding).text;
    if (wanted === "") return [];
    return occurrences(folded.text, wanted).flatMap((index) => {
      const last = index + wanted.length - 1;
      const start = folded.starts[index] ?? 0;
      const end = folded.ends[last] ?? 0;
      // A match that begins or ends inside a folded character (half of a ligature) is none.
      const isWhole = folded.starts[index - 1] !== start && folded.ends[last + 1] !== end;
      return isWhole ? [{ start, end, folding }] : [];
    });
  }

  #decide(places: readonly Place[]): Location {
    const [place] = places;
    if (place === undefined) return { kind: "missing" };
    if (places.length === 1) return { kind: "found", place };
    const known = places.slice(0, MAX_LOOKED_UP).map(({ start }) => lineNumberAt(this.#original, start));
    const lines = [...new Set(known)];
    return {
      kind: "ambiguous",
      lines: lines.slice(0, MAX_REPORTED_LINES),
      hasMoreLines: lines.length > MAX_REPORTED_LINES || places.length > MAX_LOOKED_UP,
      count: places.length,
    };
  }
}

/** 1-based line of a position. */
export function lineNumberAt(text: string, position: number): number {
  return text.slice(0, position).split(/\r\n|\r|\n/).length;
}

function occurrences(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (found.push(at) === MAX_OCCURRENCES) break;
  }
  return found;
}
