import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { detectReversals } from "../src/reversals/detect-reversals.ts";
import { SaidBefore } from "../src/reversals/said-before.ts";

interface Row {
  /** What the user had said before. */
  readonly before: string;
  readonly text: string;
  readonly isReversal: boolean;
}

/** The committed messages of `bench/compaction/reversals`, each after what it takes back, or does not. */
function counts(name: string) {
  const lines = readFileSync(
    `${import.meta.dirname}/../../../bench/compaction/reversals/${name}.jsonl`,
    "utf8",
  );
  const rows = lines
    .trim()
    .split("\n")
    .map((line): Row => JSON.parse(line));
  const hits = rows.filter(({ before, text }) => {
    const said = new SaidBefore();
    said.addUser(before);
    return detectReversals(text, said).length > 0;
  });
  const reversals = rows.filter(({ isReversal }) => isReversal).length;
  const found = hits.filter(({ isReversal }) => isReversal).length;
  return { reversals, found, others: rows.length - reversals, falselyFound: hits.length - found };
}

test("of messages that were written after the rules, 85 % of the reversals are found and 12.5 % of the others", () => {
  expect(counts("fresh")).toEqual({ reversals: 40, found: 34, others: 40, falselyFound: 5 });
});

test("of those that the rules were made with, 90 % and 2 %", () => {
  expect(counts("known")).toEqual({ reversals: 240, found: 216, others: 240, falselyFound: 4 });
});
