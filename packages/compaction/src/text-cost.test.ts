import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTextTokens } from "./estimate-text.ts";
import { costOfUnits, MOST_UNITS } from "./text-cost.ts";

function costOf(text: string): number {
  const units = Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return costOfUnits(units, 0, units.length);
}

test.each([
  ["letters cost a quarter each, whatever word they are in", "word Word", 8 * 25 + 10],
  ["digits cost by groups of three", "1 12 123 1234", 5 * 120 + 3 * 10],
  ["white space of any length costs one token more", "a          b", 2 * 25 + 10 + 56],
  ["line ends cost once a run", "a\n\n\nb", 2 * 25 + 20],
  ["an emoji costs its first half", "😀", 190],
  ["a hash is random", "9f86d081884c7d659a2feaa0c55ad015", 32 * 66],
  ["a long camel-case name is not", "estimateOverheadTokensOfConversation", 36 * 25],
])("%s", (_name, text, expected) => {
  expect(costOf(text)).toBe(expected);
});

test("words cost the same alone and together", () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9]{1,40}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const alone = words.reduce((sum, each) => sum + costOf(each), 0);
      expect(costOf(words.join("\n"))).toBe(alone + 20 * (words.length - 1));
    }),
  );
});

test.each([64, 96, 192, 200, 256, 384])(
  "rows of %i characters, half of them dense, are met at all columns",
  (width) => {
    const row = `${" ".repeat(width / 2)}${"漢".repeat(width / 2 - 1)}\n`;
    const whole = row.repeat(40);
    const real = 40 * ((width / 2 - 1) * 0.7 + 0.2 + 0.66);
    expect(Math.abs(estimateTextTokens(whole) / real - 1)).toBeLessThan(0.2);
  },
);

test("windows over a long text say what its whole says, where it is alike throughout", () => {
  const line = fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12}){2,5}[.;]?$/);
  fc.assert(
    fc.property(line, fc.integer({ min: 2 * MOST_UNITS, max: 40_000 }), (text, length) => {
      const whole = `${text}\n`.repeat(Math.ceil(length / text.length)).slice(0, length);
      let cost = 0;
      for (let at = 0; at < length; at += MOST_UNITS) cost += costOf(whole.slice(at, at + MOST_UNITS));
      expect(Math.abs((100 * estimateTextTokens(whole)) / cost - 1)).toBeLessThan(0.15);
    }),
  );
});
