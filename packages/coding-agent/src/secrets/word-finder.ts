/** A sum of three characters, the same for both cases: 5 bits each. */
const GRAM_CHARS = 3;
const GRAM_BITS = 5;
const GRAM_MASK = (1 << (GRAM_BITS * GRAM_CHARS)) - 1;

interface Place {
  readonly word: string;
  /** Where in the word the three characters end, exclusive. */
  readonly end: number;
}

/**
 * Tells which of many words stand in a text, in one pass whatever their number. Words are in lower case and ASCII; the text
 * may be in any case.
 */
export class WordFinder {
  /** 1 for the sums of which some word has one. */
  readonly #isKnown = new Uint8Array(GRAM_MASK + 1);
  readonly #places = new Map<number, Place[]>();
  /** Words that are too short to have a sum, each with a pattern of it. */
  readonly #short = new Map<string, RegExp>();

  constructor(words: readonly string[]) {
    for (const word of new Set(words)) {
      if (word.length < GRAM_CHARS)
        this.#short.set(word, new RegExp(word.replace(/[^a-z0-9]/g, "\\$&"), "i"));
      else this.#add(word);
    }
  }

  find(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const [word, pattern] of this.#short) if (pattern.test(text)) found.add(word);
    let gram = 0;
    for (let at = 0; at < text.length; at++) {
      gram = nextGram(gram, text.charCodeAt(at));
      if (this.#isKnown[gram] === 0) continue;
      for (const { word, end } of this.#places.get(gram) ?? []) {
        const start = at + 1 - end;
        if (!found.has(word) && text.slice(Math.max(0, start), start + word.length).toLowerCase() === word)
          found.add(word);
      }
    }
    return found;
  }

  #add(word: string): void {
    const end = rarestEnd(word);
    let gram = 0;
    for (let at = end - GRAM_CHARS; at < end; at++) gram = nextGram(gram, word.charCodeAt(at));
    this.#isKnown[gram] = 1;
    this.#places.set(gram, [...(this.#places.get(gram) ?? []), { word, end }]);
  }
}

function nextGram(gram: number, code: number): number {
  return ((gram << GRAM_BITS) | (code & ((1 << GRAM_BITS) - 1))) & GRAM_MASK;
}

/** Three characters of a word that are no letters only, if it has such: text has fewer of them. */
function rarestEnd(word: string): number {
  const at = word.search(/[^a-z ]/);
  return Math.min(word.length, Math.max(GRAM_CHARS, at + 1));
}
