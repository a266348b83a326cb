import fc from "fast-check";
import { expect, test } from "vitest";
import { LineDecoder } from "./line-decoder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (decoder: LineDecoder, chunk: Uint8Array) =>
  decoder.push(chunk).map((line) => ("text" in line ? line.text : line));

test("B209: only LF ends a line; U+2028, U+2029, NEL and a CR inside are text, one CR before the LF is dropped", () => {
  expect(texts(new LineDecoder(), bytes('{"x":"a\u2028b\u2029c\u0085d\re"}\r\n{"y":1}\n{"z'))).toEqual([
    '{"x":"a\u2028b\u2029c\u0085d\re"}',
    '{"y":1}',
  ]);
});

test("lines are the same however the bytes are cut, also through a character", () => {
  const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\n\r\ufeff]|\p{Cs}/gu, ""));
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const all = bytes(lines.map((text) => `${text}\n`).join(""));
      const decoder = new LineDecoder();
      const seen = [];
      for (let at = 0; at < all.length; at += size) seen.push(...texts(decoder, all.subarray(at, at + size)));
      expect([...seen, ...decoder.end()]).toEqual(lines);
    }),
  );
});

test("a line that is too long is one complaint and the next one is read", () => {
  const decoder = new LineDecoder(4);
  expect([...decoder.push(bytes("12345")), ...decoder.push(bytes("678\nab\n"))]).toEqual([
    { tooLong: true },
    { text: "ab" },
  ]);
  expect([...decoder.push(bytes("rest")), ...decoder.end()]).toEqual([{ text: "rest" }]);
});
