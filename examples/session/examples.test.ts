import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Each example as a reader runs it, with what it prints. */
test.each([
  { file: "01-create.ts", prints: ["Slow parser [ 'user' ]", "Why is it slow? 1"] },
  {
    file: "02-branch.ts",
    prints: [
      "[ 'Why is it slow?', 'Look at the disk.' ]",
      "[ 'Why is it slow?', 'Look at the parser.', 'branchSummary' ]",
      "2 branches",
    ],
  },
  { file: "03-fork.ts", prints: ["2 2", "true", "true true"] },
  { file: "04-search.ts", prints: ["true Is the parser tested?", "false The Parser fails on line 7."] },
  {
    file: "05-own-entry.ts",
    prints: [
      "[",
      "  {",
      "    role: 'user',",
      "    content: 'Remember: never push to main',",
      "    timestamp: 0",
      "  }",
      "]",
      "[ { text: 'never push to main' } ]",
    ],
  },
  { file: "06-own-storage.ts", prints: ["all cases of the conformance suite passed"] },
  { file: "07-postgres-sketch.ts", prints: ["all cases of the conformance suite passed"] },
])(
  "$file runs and prints what it says",
  async ({ file, prints }) => {
    const args = ["--conditions=@coppice/source", join(import.meta.dirname, file)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trimEnd().split("\n")).toEqual(prints);
  },
  300_000,
);

test("an own storage that passes the conformance suite takes at most 60 lines", async () => {
  const lines = (await readFile(join(import.meta.dirname, "sqlite-store.ts"), "utf8")).trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(60);
});
