import { expect, test } from "vitest";
import { base64ByteCount, isBase64 } from "./image-facts.ts";

test.each([
  { data: "", bytes: 0, isWhole: false },
  { data: "AAAA", bytes: 3, isWhole: true },
  { data: "AAA=", bytes: 2, isWhole: true },
  { data: "AA==", bytes: 1, isWhole: true },
  { data: "A===", bytes: 1, isWhole: false },
  { data: "AA AA", bytes: 3, isWhole: false },
])("$data stands for $bytes bytes", ({ data, bytes, isWhole }) => {
  expect(base64ByteCount(data)).toBe(bytes);
  expect(isBase64(data)).toBe(isWhole);
});

test("data of a stranger is looked at in a time that grows with its length, whatever it holds", () => {
  const length = 4_000_000;
  for (const data of [`${"=".repeat(length)}A`, `A${" ".repeat(length)}!`, `${"A".repeat(length)}!`]) {
    expect(base64ByteCount(data)).toBeGreaterThan(length / 2);
    expect(isBase64(data)).toBe(false);
  }
});
