import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ScreenText } from "./screen-text.ts";
import { TailBuffer } from "./tail-buffer.ts";

function clean(chunks: readonly string[]): string {
  const tail = new TailBuffer({ maxLines: 1000, maxBytes: 100_000 });
  const screen = new ScreenText(tail);
  for (const chunk of chunks) screen.push(chunk);
  return tail.tail().text;
}

const samples = [
  { name: "colours", text: "a\x1b[1;31mred\x1b[0m b", expected: "ared b" },
  { name: "private parameters", text: "\x1b[?25l\x1b[>4;1mx\x1b[?2026h", expected: "x" },
  { name: "B248: clipboard and title", text: "a\x1b]52;c;ZWNobw==\x07b\x1b]0;t\x1b\\c", expected: "abc" },
  { name: "shell integration codes", text: "\x1b]133;A\x07$ ls\x1b]133;C\x07", expected: "$ ls" },
  { name: "device control strings", text: "a\x1bP1$r0m\x1b\\b\x1b_x\x1b\\c", expected: "abc" },
  { name: "eight-bit controls", text: "a\u009b31mb\u009d0;t\u009cc", expected: "abc" },
  { name: "character sets", text: "\x1b(Bx\x1b=y\x1bM", expected: "xy" },
  { name: "NUL and bells", text: "a\0b\x07c\x7fd", expected: "abcd" },
  { name: "tabs and newlines stay", text: "a\tb\nc", expected: "a\tb\nc" },
  { name: "CRLF", text: "a\r\nb\r\n", expected: "a\nb" },
  { name: "a progress bar", text: "10%\r20%\r100%\ndone\n", expected: "100%\ndone" },
  { name: "a carriage return at the end keeps the line", text: "100%\r", expected: "100%" },
  { name: "overstrike", text: "a\ba bc\b\b", expected: "a " },
  { name: "invisible format characters", text: "a\u0601b\u202ec\u2066d", expected: "abcd" },
  { name: "an unfinished string ends with its line", text: "a\x1b]0;x\nb", expected: "a\nb" },
  { name: "emoji", text: "🔥\x1b[0m👨‍👩‍👧", expected: "🔥👨‍👩‍👧" },
];

describe("TO-19: what a program prints becomes plain text", () => {
  test.each(samples)("$name", ({ text, expected }) => expect(clean([text])).toBe(expected));

  test.each(samples)("$name, in any chunks", ({ text, expected }) => {
    for (let at = 0; at <= text.length; at++)
      expect(clean([text.slice(0, at), text.slice(at)])).toBe(expected);
    expect(clean(text.split(""))).toBe(expected);
  });

  test("no control character but newline and tab ever gets through", () => {
    const piece = fc.constantFrom(
      "\x1b",
      "[",
      "]",
      "\x07",
      "\x9b",
      "m",
      "\r",
      "\n",
      "\b",
      "a",
      "\0",
      "\t",
      "P",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(clean(pieces)).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(clean([pieces.join("")])).toBe(clean(pieces));
      }),
      { numRuns: 1000 },
    );
  });
});
