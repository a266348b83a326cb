import { sentencesOf } from "../rules/sentences.ts";
import { tellingWords } from "./telling-words.ts";
import { valuesOf } from "./value-kinds.ts";

const QUESTION = /[?？]["”')]?$/;
/** Newest sentences that are remembered for one word, or one kind of value: of those with more it tells too little. */
const MOST_PER_WORD = 16;

/** A sentence of the user, or of a summary, that may have decided something. */
export interface SaidSentence {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** Each with its kind. */
  readonly values: ReadonlyMap<string, number>;
}

/**
 * A conversation up to some message, to tell what takes something back from what only sounds like it: "no redis" ends a
 * decision where redis was one.
 */
export class SaidBefore {
  readonly #byWord = new Map<string | number, SaidSentence[]>();
  readonly #byModel = new Set<string>();

  /** What the user said, questions aside, or what a summary says of it. */
  addUser(text: string): void {
    for (const sentence of sentencesOf(text)) if (!QUESTION.test(sentence)) this.#add(saidSentence(sentence));
  }

  addModel(text: string): void {
    for (const word of tellingWords(text)) this.#byModel.add(word);
  }

  /** True where the user spoke of something in `part` before. */
  byUser(part: string): boolean {
    return tellingWords(part).some((word) => this.#byWord.has(word));
  }

  byAnyone(part: string): boolean {
    return this.byUser(part) || tellingWords(part).some((word) => this.#byModel.has(word));
  }

  /** What the user said that shares a word or a kind of value with a sentence. */
  near({ words, values }: SaidSentence): readonly SaidSentence[] {
    const keys = [...words, ...values.values()];
    return [...new Set(keys.flatMap((key) => this.#byWord.get(key) ?? []))];
  }

  #add(sentence: SaidSentence): void {
    for (const key of new Set<string | number>([...sentence.words, ...sentence.values.values()])) {
      const known = this.#byWord.get(key) ?? [];
      this.#byWord.set(key, [...known.slice(1 - MOST_PER_WORD), sentence]);
    }
  }
}

export function saidSentence(text: string): SaidSentence {
  return { text, words: new Set(tellingWords(text)), values: valuesOf(text) };
}
