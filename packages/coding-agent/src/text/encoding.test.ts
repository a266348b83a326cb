import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeLossless, detectEncoding, encodeLossless } from "./encoding.ts";

test("any bytes that count as text survive decoding and encoding", () => {
  const bytes = fc.uint8Array({ maxLength: 64 });
  const prefix = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
  fc.assert(
    fc.property(prefix, bytes, (head, body) => {
      const data = Uint8Array.from([...head, ...body]);
      const encoding = detectEncoding(data);
      const text = encoding === undefined ? undefined : decodeLossless(data, encoding);
      if (encoding === undefined || text === undefined) return;
      expect(Uint8Array.from(encodeLossless(text, encoding))).toEqual(data);
    }),
    { numRuns: 2000 },
  );
});

describe("detectEncoding", () => {
  test.each([
    { name: "plain text", bytes: [0x61, 0x0a], expected: { name: "utf-8", bomBytes: 0 } },
    { name: "B156: a UTF-8 BOM", bytes: [0xef, 0xbb, 0xbf, 0x61], expected: { name: "utf-8", bomBytes: 3 } },
    { name: "UTF-16 by its BOM", bytes: [0xff, 0xfe, 0x61, 0], expected: { name: "utf-16le", bomBytes: 2 } },
    { name: "big-endian UTF-16", bytes: [0xfe, 0xff, 0, 0x61], expected: { name: "utf-16be", bomBytes: 2 } },
    { name: "a NUL byte", bytes: [0x61, 0, 0x61], expected: undefined },
    { name: "nothing", bytes: [], expected: { name: "utf-8", bomBytes: 0 } },
  ])("$name", ({ bytes, expected }) => expect(detectEncoding(Uint8Array.from(bytes))).toEqual(expected));
});
