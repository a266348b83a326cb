import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { detectRules } from "../src/rules/detect-rules.ts";

/** The committed sentences of `bench/compaction/rules`, whose figures the package promises. */
function found(name: string): number {
  const lines = readFileSync(`${import.meta.dirname}/../../../bench/compaction/rules/${name}.jsonl`, "utf8")
    .trim()
    .split("\n");
  const isRule = (line: string) => detectRules((JSON.parse(line) as { text: string }).text).length > 0;
  return lines.filter(isRule).length / lines.length;
}

test("at least 95 % of the committed rules are detected, and at most 5 % of the decoys", () => {
  expect(found("rules")).toBeGreaterThanOrEqual(0.95);
  expect(found("decoys")).toBeLessThanOrEqual(0.05);
});
