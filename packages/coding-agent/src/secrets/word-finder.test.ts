import fc from "fast-check";
import { expect, test } from "vitest";
import { SECRET_KINDS } from "./find-secrets.ts";
import { WordFinder } from "./word-finder.ts";

test("it finds what is there and nothing else, in any case, wherever it stands", () => {
  const words = [...new Set(SECRET_KINDS.flatMap(({ hints }) => hints))];
  const finder = new WordFinder(words);
  const word = fc.constantFrom(...words);
  const piece = fc.oneof(
    word,
    word.map((one) => one.toUpperCase()),
    // Two characters short of a word, or a word that begins in another.
    fc.tuple(word, fc.nat(12)).map(([one, length]) => one.slice(length)),
    fc.tuple(word, fc.nat(12)).map(([one, length]) => one.slice(0, length)),
    fc.string({ maxLength: 5, unit: "grapheme" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join("");
      // What other letters become in lower case is no word of a secret.
      const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      expect([...finder.find(text)].sort()).toEqual(words.filter((one) => lower.includes(one)).sort());
    }),
    { numRuns: 1000 },
  );
});
