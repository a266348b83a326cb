import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingScreenText, screenLines, screenText } from "./screen-text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must never come out.
const DRIVES_A_TERMINAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test("B248: a clipboard write, a title, a cursor move and colours are gone; the text around them stays", () => {
  expect(screenText("a\u001b]52;c;ZWNobw==\u0007b\u001b]0;title\u0007c\u001b[2J\u001b[31md\u001b[0m")).toBe(
    "abcd",
  );
});

test("B248: what an unfinished sequence leaves behind is shown, not obeyed", () => {
  expect(screenText("\u001b\u001b[31m]52;c;eA==\u0007")).not.toMatch(DRIVES_A_TERMINAL);
});

test("B200: prompt marks and links lose their sequences and keep their text", () => {
  expect(screenText("\u001b]133;A\u0007abc")).toBe("abc");
  expect(screenText("\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007")).toBe("link");
});

test("B199: half a character at the end of what has streamed waits for its other half", () => {
  expect(screenText("tree \ud83c")).toBe("tree ");
  expect(screenText("tree \ud83c\udf33")).toBe("tree 🌳");
});

test("tabs become blanks, carriage returns vanish, blank lines at both ends are left out of lines", () => {
  expect(screenText("a\tb\r\n")).toBe("a   b\n");
  expect(screenLines("\n \n  first\nlast\n\n")).toEqual(["  first", "last"]);
  expect(screenLines(" \n")).toEqual([]);
});

test("B248: whatever the text, nothing that is shown can drive a terminal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(screenText(text)).not.toMatch(DRIVES_A_TERMINAL);
    }),
  );
});

test("UI-17, B248: text that comes in pieces, cut anywhere, becomes what the whole becomes, and is only added to", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "\u001b",
      "\u001b[",
      "\u001b]52;c;ZWNobw==",
      "\u001b]0;a long title",
      "\u001b\\",
      "\u009c",
      "\u0007",
      "\u009b31",
      "m",
      "2J",
      ";",
      "\u202e",
      "\t",
    ),
    fc.constantFrom(
      " ",
      "\n",
      "\r\n",
      "👩",
      "\u200d",
      "👧",
      "🏽",
      "\ufe0f",
      "\ud83c",
      "\udf33",
      "🇨",
      "🇳",
      "☂",
      "word",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const growing = new GrowingScreenText();
      let certain = "";
      for (const [index, text] of pieces.entries()) {
        certain += growing.add(text);
        expect(certain + growing.rest).toBe(screenText(pieces.slice(0, index + 1).join("")));
      }
    }),
  );
});

test("UI-17: text behind a command that never ends is shown, and costs what is new", () => {
  const growing = new GrowingScreenText();
  let certain = growing.add("begin \u001b]0;title ");
  expect(certain).toBe("begin ");
  for (let at = 0; at < 20_000; at++) certain += growing.add("some words ");
  expect(certain.length + growing.rest.length).toBe(
    screenText(`begin \u001b]0;title ${"some words ".repeat(20_000)}`).length,
  );
  expect(growing.rest.length).toBeLessThan(2_000);
});
