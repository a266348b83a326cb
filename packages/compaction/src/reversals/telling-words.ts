import { GENERIC_WORDS } from "./generic-words.ts";
import { once } from "./once.ts";

const words = once(() => /\d+(?:\.\d+)*|\p{L}[\p{L}\p{M}]*(?:\d+(?:\.\d+)*)?/gu);
/** In capitals it is a name, also where it would be an everyday word. */
const acronym = once(() => /^\p{Lu}[\p{Lu}\d]+$/u);
/** Scripts that put no blanks between words. */
const unspaced = once(() => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);
const DIGITS: ReadonlyMap<string, string> = new Map(
  ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].map(
    (word, digit) => [word, String(digit)],
  ),
);

/** Words that tell what a text is about, numbers among them, in lower case and without common endings. */
export function tellingWords(text: string): readonly string[] {
  return (text.match(words()) ?? []).flatMap((written) => {
    if (acronym().test(written)) return [written.toLowerCase()];
    const word = written.toLowerCase();
    if (unspaced().test(word)) return pairsOf(word);
    const stem = DIGITS.get(word) ?? stemOf(word);
    const isTelling =
      /^\d/.test(stem) || (stem.length > 1 && !GENERIC_WORDS.has(stem) && !GENERIC_WORDS.has(word));
    return isTelling ? [stem] : [];
  });
}

function stemOf(word: string): string {
  return word.length > 4
    ? word.replace(/(?:ings?|ed|en|e?s|e|t)$/, "")
    : word.length === 4
      ? word.replace(/s$/, "")
      : word;
}

/** Two characters each, as words of these scripts mostly have; runs of hiragana are endings. */
function pairsOf(run: string): readonly string[] {
  const pairs = Array.from({ length: Math.max(0, run.length - 1) }, (_, at) => run.slice(at, at + 2));
  return pairs.filter((pair) => !/\p{Script=Hiragana}/u.test(pair));
}
