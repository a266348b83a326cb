import fc from "fast-check";
import { expect, test } from "vitest";
import { clipEnd, clipMiddle, headOf, tailOf } from "./clip-text.ts";

const unicode = fc.string({ unit: "grapheme", maxLength: 200 });

test("CO-09: no clipping ends in half a character", () => {
  fc.assert(
    fc.property(unicode, fc.nat(100), (text, maxChars) => {
      for (const clip of [headOf, tailOf, clipEnd, clipMiddle])
        expect(clip(text, maxChars).isWellFormed()).toBe(true);
      expect(text.startsWith(headOf(text, maxChars))).toBe(true);
      expect(text.endsWith(tailOf(text, maxChars))).toBe(true);
      expect(headOf(text, maxChars).length).toBeLessThanOrEqual(maxChars);
      expect(tailOf(text, maxChars).length).toBeLessThanOrEqual(maxChars);
    }),
  );
});

test("a text that fits is not touched", () => {
  expect([clipEnd("abc", 3), clipMiddle("abc", 3)]).toEqual(["abc", "abc"]);
});

test("a mark says how much is missing", () => {
  expect(clipEnd("abcdef", 2)).toBe("ab\n\n[… 4 more characters cut]");
  expect(clipMiddle("abcdef".repeat(9), 3)).toBe("ab\n\n[… 51 characters cut …]\n\nf");
  expect(clipMiddle("abcdef", 3)).toBe("abcdef");
});
