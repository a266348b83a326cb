import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const HARNESS = "packages/coding-agent/src";
const FAULTS = "packages/coding-agent/test/compaction-faults.test.ts";
const HERE = "packages/compaction";

/** A test file of this package whose text names the fault, or a test elsewhere by its name. */
type Answer = string | { readonly file: string; readonly test: string };

/**
 * Every fault of the public record about compaction, tokens and overflow (B: a report, CO: a kind) and what answers it.
 *
 * What this package does not hold (requests, queues, events) is answered by the layer that does.
 */
const COVERAGE: Readonly<Record<string, Answer>> = {
  B032: "src/cut-point.test.ts",
  B034: "src/prepare-compaction.test.ts",
  B035: "src/cut-point.test.ts",
  B039: "src/serialize-conversation.test.ts",
  B041: "src/settings.test.ts",
  B043: "src/settings.test.ts",
  B044: { file: `${HARNESS}/agent-harness.test.ts`, test: "a tool loop compacts before the request" },
  B045: "src/prepare-compaction.test.ts",
  B046: "src/usage-valid-from.test.ts",
  B048: "src/estimate.test.ts",
  B050: { file: `${HARNESS}/run-safety.test.ts`, test: "a second compaction right after the first" },
  B051: { file: `${HARNESS}/run-safety.test.ts`, test: "compactions that free almost nothing stop" },
  B052: "src/on-prefix.test.ts",
  B054: "src/compact.test.ts",
  B055: { file: `${HARNESS}/agent-harness.test.ts`, test: "a message queued while a compaction runs" },
  B057: { file: FAULTS, test: "B057" },
  B059: "src/prepare-compaction.test.ts",
  B060: "src/prepare-compaction.test.ts",
  B061: "test/faults.test.ts",
  B062: {
    file: `${HARNESS}/agent-harness.test.ts`,
    test: "nothing is sent by itself after a finished answer",
  },
  B063: { file: `${HARNESS}/agent-harness.test.ts`, test: "goes on by itself" },
  B064: "src/compact.test.ts",
  B065: "src/estimate.test.ts",
  B067: { file: "packages/ai/src/providers/usage-dialects.test.ts", test: "B067" },
  B068: "src/estimate.test.ts",
  B071: { file: "packages/ai/src/providers/usage-dialects.test.ts", test: "B071" },
  B072: { file: "packages/ai/test/fault-coverage.test.ts", test: "B072" },
  B073: { file: "packages/ai/test/fault-coverage.test.ts", test: "B073" },
  B075: { file: "packages/ai/src/usage.test.ts", test: "B075" },
  B077: { file: "packages/ai/src/usage.test.ts", test: "B077" },
  B078: { file: "packages/ai/src/providers/classify.test.ts", test: "B078" },
  B080: { file: "packages/ai/src/providers/classify.test.ts", test: "B080" },
  B081: { file: "packages/ai/src/providers/http-behaviour.test.ts", test: "B081" },
  B084: { file: "packages/ai/src/providers/classify.test.ts", test: "B084" },
  B086: "src/silent-overflow.test.ts",
  "CO-01": "src/estimate.test.ts",
  "CO-02": "src/estimate.test.ts",
  "CO-03": "test/properties.test.ts",
  "CO-04": "test/faults.test.ts",
  "CO-05": "src/cut-point.test.ts",
  "CO-06": {
    file: `${HARNESS}/agent-harness.test.ts`,
    test: "compacts before the request that would not fit",
  },
  "CO-07": "src/compact.test.ts",
  "CO-08": "src/prepare-compaction.test.ts",
  "CO-09": "src/compact.test.ts",
  "CO-10": "test/adversarial-summariser.test.ts",
  "CO-11": "test/adversarial-summariser.test.ts",
  "CO-12": "test/faults.test.ts",
  "CO-13": "test/faults.test.ts",
  "CO-14": "test/faults.test.ts",
  "CO-15": { file: `${HARNESS}/agent-harness.test.ts`, test: "an overflow is recovered once" },
  "CO-16": { file: `${HARNESS}/operation-gate.test.ts`, test: "of operations that start together one wins" },
  "CO-17": "test/faults.test.ts",
  "CO-18": "src/estimate.test.ts",
  "CO-19": { file: FAULTS, test: "CO-19" },
  "CO-20": "src/strategy.test.ts",
  "CO-21": "src/branch-summarization.test.ts",
  "CO-22": "src/file-operations.test.ts",
  "CO-23": "test/faults.test.ts",
  "CO-24": "src/settings.test.ts",
  "CO-25": {
    file: "apps/cli/src/modes/interactive/views/summary-block.test.ts",
    test: "CO-25",
  },
  "CO-26": "test/faults.test.ts",
  "CO-27": "test/faults.test.ts",
  "CO-28": "test/faults.test.ts",
};

/** Rows of the record that this package must answer: listed by number, so that none is left out by accident. */
const REPORTS = [
  32, 34, 35, 39, 41, 43, 44, 45, 46, 48, 50, 51, 52, 54, 55, 57, 59, 60, 61, 62, 63, 64, 65, 67, 68, 71, 72,
  73, 75, 77, 78, 80, 81, 84, 86,
].map((number) => `B${String(number).padStart(3, "0")}`);
const KINDS = Array.from({ length: 28 }, (_, index) => `CO-${String(index + 1).padStart(2, "0")}`);

const read = (file: string) => readFileSync(`${import.meta.dirname}/../../../${file}`, "utf8");

describe("the faults of the record", () => {
  test("every one is in the table, and nothing else", () => {
    expect(Object.keys(COVERAGE).sort()).toEqual([...REPORTS, ...KINDS].sort());
  });

  test.each(
    Object.entries(COVERAGE).flatMap(([id, answer]) => {
      if (typeof answer === "string") return [{ id, file: `${HERE}/${answer}`, text: id }];
      return [{ id, file: answer.file, text: answer.test }];
    }),
  )("$id is answered in $file", ({ file, text }) => {
    expect(read(file)).toContain(text);
  });
});
