import { expect, test } from "vitest";
import { formatBytes } from "./byte-count.ts";
import { countOf } from "./count.ts";

test("only one is singular", () => {
  expect([0, 1, 2, 0.5].map((count) => countOf(count, "line"))).toEqual([
    "0 lines",
    "1 line",
    "2 lines",
    "0.5 lines",
  ]);
  expect([1, 1023, 1024].map(formatBytes)).toEqual(["1 byte", "1023 bytes", "1.0 KB"]);
});
