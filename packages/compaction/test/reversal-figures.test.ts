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

/** The committed messages of `bench/compaction/reversals`. */
function rowsOf(name: string): readonly Row[] {
  const path = `${import.meta.dirname}/../../../bench/compaction/reversals/${name}.jsonl`;
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line): Row => JSON.parse(line));
}

function counts(rows: readonly Row[], saidBefore: (row: Row) => SaidBefore) {
  const hits = rows.filter((row) => detectReversals(row.text, saidBefore(row)).length > 0);
  const found = hits.filter(({ isReversal }) => isReversal).length;
  return { found, falselyFound: hits.length - found };
}

function afterOne({ before }: Row): SaidBefore {
  const said = new SaidBefore();
  said.addUser(before);
  return said;
}

test("of messages that were written after the rules, 26 of 40 reversals are found and 3 of 40 others", () => {
  expect(counts(rowsOf("fresh"), afterOne)).toEqual({ found: 26, falselyFound: 3 });
});

test("of those that the rules were made with, 250 of 280 and 6 of 280", () => {
  expect(counts(rowsOf("known"), afterOne)).toEqual({ found: 250, falselyFound: 6 });
});

test("after a long conversation about everything 8 of the 40 others are taken for reversals", () => {
  const said = new SaidBefore();
  for (const { before, text } of rowsOf("known")) {
    said.addUser(before);
    said.addUser(text);
  }
  const rows = rowsOf("fresh");
  for (const { before } of rows) said.addUser(before);
  expect(counts(rows, () => said)).toEqual({ found: 27, falselyFound: 8 });
});
