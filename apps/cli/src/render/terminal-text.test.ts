import fc from "fast-check";
import { expect, test } from "vitest";
import { inertLine, inertText } from "./terminal-text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must never come out.
const DRIVES_A_TERMINAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

test("B248: a clipboard write is shown inert", () => {
  expect(inertText("a\u001b]52;c;ZWNobw==\u0007b\n\tc\r\n")).toBe("a␛]52;c;ZWNobw==␇b\n\tc\n");
});

test("B248: a line loses escape sequences, reordering and line ends, and is clipped", () => {
  expect(inertLine("\u001b[31mrm\u001b[0m  -rf\n\u202ex\u001b]0;title\u0007", 100)).toBe("rm -rf x");
  expect(inertLine("abcdef", 4)).toBe("abc…");
});

test("B248: whatever the text, nothing of it can drive a terminal, whole or in pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.nat(200), (pieces, columns) => {
      expect(pieces.map(inertText).join("")).toBe(inertText(pieces.join("")));
      expect(inertText(pieces.join(""))).not.toMatch(DRIVES_A_TERMINAL);
      const line = inertLine(pieces.join(""), columns + 1);
      expect(line).not.toMatch(DRIVES_A_TERMINAL);
      expect([...line].length).toBeLessThanOrEqual(columns + 1);
    }),
  );
});
