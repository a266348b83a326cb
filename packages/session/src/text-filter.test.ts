import fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK_BYTES, FILTERED_BYTES, groupsOf, OVERLAP_BYTES, TextFilter } from "./text-filter.ts";

const SIZE = FILTERED_BYTES + OVERLAP_BYTES;

test("never denies a text that begins in a block, wherever it is put and in whichever case", () => {
  const text = fc.string({ minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(text, fc.nat(FILTERED_BYTES - 1), (wanted, at) => {
      const bytes = Buffer.alloc(SIZE, "x");
      const written = Buffer.from(wanted.toUpperCase()).subarray(0, OVERLAP_BYTES).copy(bytes, at);
      const blocks = new TextFilter(bytes).blocksWith(groupsOf(bytes.subarray(at, at + written)));
      expect((blocks >>> Math.floor(at / BLOCK_BYTES)) & 1).toBe(1);
    }),
    { numRuns: 50 },
  );
});

test("tells the block that holds a text from those that do not", () => {
  const bytes = Buffer.alloc(SIZE, "lorem ipsum ");
  bytes.write("a needle", 9 * BLOCK_BYTES - 4);
  const filter = new TextFilter(bytes);
  expect(filter.blocksWith(groupsOf(Buffer.from("A Needle")))).toBe(1 << 8);
  expect(filter.blocksWith(groupsOf(Buffer.from("two needles")))).toBe(0);
});

test("a text of fewer than five bytes may be anywhere", () => {
  expect(new TextFilter(Buffer.alloc(SIZE)).blocksWith(groupsOf(Buffer.from("four")))).toBe(-1);
});
