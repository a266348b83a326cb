import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TailBuffer } from "./tail-buffer.ts";
import { byteLength } from "./truncate.ts";

const limits = { maxLines: 5, maxBytes: 40 };

function tailOf(...chunks: readonly string[]) {
  const buffer = new TailBuffer(limits);
  for (const chunk of chunks) buffer.append(chunk);
  return buffer.tail();
}
const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`).join("\n");

describe("B180, TO-18: what is hidden is counted right", () => {
  test.each([
    { name: "exactly the limit", text: lines(5), firstLine: 1 },
    { name: "one more", text: lines(6), firstLine: 2 },
    { name: "the limit and a trailing line break", text: `${lines(5)}\n`, firstLine: 1 },
    { name: "many blank lines", text: `a${"\n".repeat(9)}`, firstLine: 5 },
    { name: "many", text: lines(100), firstLine: 96 },
  ])("$name", ({ text, firstLine }) => {
    const tail = tailOf(text);
    expect(tail.firstLine).toBe(firstLine);
    expect(tail.truncation === undefined).toBe(firstLine === 1);
  });

  test("TO-18: one long line at the end shows its end, not nothing", () => {
    const tail = tailOf(`first\n${"é".repeat(100)}`);
    expect(tail).toEqual({
      text: "é".repeat(20),
      firstLine: 2,
      lastLine: 2,
      truncation: {
        truncated: true,
        truncatedBy: "bytes",
        totalLines: 2,
        totalBytes: 206,
        outputLines: 1,
        outputBytes: 40,
        lastLinePartial: true,
        ...limits,
      },
    });
  });

  test("TO-18: a long line before blank lines shows its end", () => {
    const { text, firstLine, truncation } = tailOf(`${"x".repeat(50)}\n\n\n`);
    expect({ text, firstLine }).toEqual({ text: `${"x".repeat(38)}\n\n`, firstLine: 1 });
    expect(truncation).toMatchObject({ lastLinePartial: true, totalLines: 3, outputLines: 3 });
  });

  test("the tail is a suffix within the limits, whatever the chunks", () => {
    const chunk = fc.stringMatching(/^[a-c\né🔥]{0,30}$/u);
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 20 }), (chunks) => {
        const whole = chunks.join("").replace(/\n$/, "");
        const tail = tailOf(...chunks);
        expect(whole.endsWith(tail.text)).toBe(true);
        expect(byteLength(tail.text)).toBeLessThanOrEqual(limits.maxBytes);
        expect(tail.text.split("\n").length).toBeLessThanOrEqual(limits.maxLines);
        if (tail.truncation === undefined) expect(tail.text).toBe(whole);
        else expect(tail.text.trim() !== "" || tail.text.split("\n").length === limits.maxLines).toBe(true);
        expect(tail).toEqual(tailOf(chunks.join("")));
      }),
      { numRuns: 500 },
    );
  });
});
