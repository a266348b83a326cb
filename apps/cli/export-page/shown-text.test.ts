import fc from "fast-check";
import { expect, test } from "vitest";
import { plainLine, textRuns } from "./shown-text.ts";

test("colours of a terminal become classes, other sequences vanish", () => {
  expect(
    textRuns(
      "\u001b[1;31mred\u001b[0m plain \u001b]0;title\u0007\u001b[2K\u001b[38;5;9mx\u001b[4my\u001b[24mz",
    ),
  ).toEqual([
    { text: "red", classes: ["ansi-bold", "ansi-fg-red"] },
    { text: " plain ", classes: [] },
    { text: "x", classes: [] },
    { text: "y", classes: ["ansi-underline"] },
    { text: "z", classes: [] },
  ]);
});

test("EX-02: what cannot be seen becomes a mark", () => {
  expect(textRuns("a\u0000b\u202Ec\u200Bd\u007f")).toEqual([
    { text: "a", classes: [] },
    { text: "\u2400", classes: [], isMark: true },
    { text: "b", classes: [] },
    { text: "⟨U+202E⟩", classes: [], isMark: true },
    { text: "c", classes: [] },
    { text: "⟨U+200B⟩", classes: [], isMark: true },
    { text: "d", classes: [] },
    { text: "\u2421", classes: [], isMark: true },
  ]);
});

test("a line is one line of at most so many characters", () => {
  expect(plainLine("  one\n\ttwo \u001b[31mthree\u001b[0m ", 80)).toBe("one two three");
  expect(plainLine("abcdef", 4)).toBe("abc…");
});

test("no text leaves a control or a character that reorders in its runs", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = textRuns(text)
        .map((run) => run.text)
        .join("");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be left.
      expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});
