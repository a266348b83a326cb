import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What an example prints, run as a reader runs it. */
function run(file: string): string {
  const path = `${import.meta.dirname}/${file}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--conditions=@coppice/source", path], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.trimEnd();
}

const docs = (path: string) => readFileSync(`${import.meta.dirname}/../../${path}`, "utf8");

test("01-before-and-after prints what the guide and the README show of it", () => {
  const printed = run("01-before-and-after.ts");
  expect(docs("docs/guides/compaction.md")).toContain(`\`\`\`text\n${printed}\n\`\`\``);
  for (const line of printed.split("\n").filter((one) => /^(pinned|before|after): /.test(one))) {
    expect(docs("packages/compaction/README.md")).toContain(line);
  }
});

test("02-exact-tokenizer counts by a tokenizer in place of the estimate", () => {
  const lines = run("02-exact-tokenizer.ts").split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "English: exact 17, estimate 18",
    "Chinese: exact 9, estimate 9",
    "code: exact 19, estimate 16",
    "hash: exact 43, estimate 43",
  ]);
  expect(lines[4]).toMatch(/^exact: [1-9]\d+ tokens go, [1-9]\d+ stay$/);
});

test("03-strategies asks its own rung first and then the built-in ones", () => {
  expect(run("03-strategies.ts").split("\n")).toEqual([
    "round 1, drop-thinking-aloud: 3 answers shown shorter",
    "round 2, summarize: a summary written",
  ]);
});
