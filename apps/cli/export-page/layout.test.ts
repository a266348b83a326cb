import fc from "fast-check";
import { expect, test } from "vitest";
import type { EntryView } from "../src/export/export-data.ts";
import { layoutChart, niceStep } from "./chart-layout.ts";
import { codeTokens } from "./code-tokens.ts";
import { layoutTree } from "./tree-layout.ts";

/** A tree by the parent of each place. */
function treeOf(parents: readonly number[], way: readonly number[] = [], hidden: readonly number[] = []) {
  return {
    count: parents.length,
    children: (place: number) => parents.flatMap((parent, child) => (parent === place ? [child] : [])),
    isShown: (place: number) => !hidden.includes(place),
    isOnWay: (place: number) => way.includes(place),
  };
}

test("a conversation without forks is one line in one lane", () => {
  expect(layoutTree(treeOf([-1, 0, 1], [0, 1, 2]))).toEqual({
    rows: [
      { place: 0, row: 0, lane: 0 },
      { place: 1, row: 1, lane: 0 },
      { place: 2, row: 2, lane: 0 },
    ],
    lines: [{ lane: 0, from: 0, to: 2, isOnWay: true }],
    turns: [],
    rowOf: new Map([
      [0, 0],
      [1, 1],
      [2, 2],
    ]),
  });
});

test("a side way stands between the fork and the way that goes on, one lane to the right", () => {
  const { rows, turns } = layoutTree(treeOf([-1, 0, 0, 1, 2], [0, 1, 3]));
  expect(rows).toEqual([
    { place: 0, row: 0, lane: 0 },
    { place: 2, row: 1, lane: 1 },
    { place: 4, row: 2, lane: 1 },
    { place: 1, row: 3, lane: 0 },
    { place: 3, row: 4, lane: 0 },
  ]);
  expect(turns).toEqual([{ row: 1, fromLane: 0, toLane: 1 }]);
});

test("what hangs on a place that is left out moves up", () => {
  const { rows } = layoutTree(treeOf([-1, 0, 1, 1], [0], [1]));
  expect(rows.map(({ place, lane }) => [place, lane])).toEqual([
    [0, 0],
    [2, 1],
    [3, 0],
  ]);
});

test("every place of any tree has exactly one row, below that of its parent", () => {
  const parents = fc
    .array(fc.nat(), { minLength: 1, maxLength: 60 })
    .map((picks) => picks.map((pick, at) => (at === 0 ? -1 : (pick % (at + 1)) - 1)));
  fc.assert(
    fc.property(parents, (tree) => {
      const { rows, rowOf, lines } = layoutTree(treeOf(tree));
      expect(rows.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual(tree.map((_, place) => place));
      tree.forEach((parent, place) => {
        if (parent >= 0) expect(rowOf.get(place)).toBeGreaterThan(rowOf.get(parent) ?? Number.NaN);
      });
      for (const line of lines) expect(line.to).toBeGreaterThan(line.from);
    }),
  );
});

const answer = (tokens: number, costUsd: number): EntryView => ({
  kind: "answer",
  model: "m",
  parts: [],
  usage: { inputTokens: tokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd },
});

test("a chart has a point for each answer and compaction, and bars that add up", () => {
  const views: readonly EntryView[] = [
    { kind: "prompt", parts: [] },
    answer(100, 1),
    { kind: "summary", of: "compaction", text: "", tokensBefore: 120 },
    answer(30, 2),
  ];
  expect(layoutChart([0, 1, 2, 3], (place) => views[place])).toEqual({
    points: [
      { place: 1, tokens: 100, costUsd: 1, isCompaction: false },
      { place: 2, tokens: 120, costUsd: 0, isCompaction: true },
      { place: 3, tokens: 30, costUsd: 2, isCompaction: false },
    ],
    bars: [
      { place: 1, from: 0, to: 1, costUsd: 1 },
      { place: 2, from: 1, to: 2, costUsd: 0 },
      { place: 3, from: 2, to: 3, costUsd: 2 },
    ],
    maxTokens: 120,
    maxBarUsd: 2,
    totalUsd: 3,
  });
  const many = layoutChart(
    Array.from({ length: 5000 }, (_, place) => place),
    () => answer(10, 0.5),
  );
  expect(many.bars.length).toBeLessThanOrEqual(160);
  expect(many.bars.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBe(2500);
});

test.each([
  { max: 37_000, step: 10_000 },
  { max: 200_000, step: 50_000 },
  { max: 1, step: 0.5 },
])("steps of an axis up to $max are $step", ({ max, step }) => {
  expect(niceStep(max, 4)).toBe(step);
});

test("pieces of code put together are the code, whatever its language", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("ts", "py", "sql", "html", "unknown", ""), (code, language) => {
      expect(
        codeTokens(code, language)
          .map(({ text }) => text)
          .join(""),
      ).toBe(code);
    }),
  );
  expect(codeTokens('const a = "x"; // 1', "ts")).toEqual([
    { text: "const", class: "code-keyword" },
    { text: " a = ", class: "" },
    { text: '"x"', class: "code-string" },
    { text: "; ", class: "" },
    { text: "// 1", class: "code-comment" },
  ]);
});
