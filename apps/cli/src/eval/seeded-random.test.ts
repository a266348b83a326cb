import { expect, test } from "vitest";
import { SeededRandom } from "./seeded-random.ts";

const drawn = (seed: number) => {
  const random = new SeededRandom(seed);
  return Array.from({ length: 200 }, () => random.integer(3, 7));
};

test("the same seed gives the same numbers, another one others, all within the bounds", () => {
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
  expect([...new Set(drawn(1))].sort()).toEqual([3, 4, 5, 6, 7]);
});

test("shuffling keeps every item", () => {
  expect([...new SeededRandom(5).shuffled([1, 2, 3, 4, 5])].sort()).toEqual([1, 2, 3, 4, 5]);
});
