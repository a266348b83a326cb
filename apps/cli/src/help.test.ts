import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FLAGS } from "./flags.ts";
import { flagTable, helpText } from "./help.ts";

test("the help names every flag once and fits a terminal of 100 columns", () => {
  const help = helpText();
  for (const name of Object.keys(FLAGS)) {
    expect(help.split("\n").filter((line) => new RegExp(`^ .{5}--${name}(?: |$)`).test(line))).toHaveLength(
      1,
    );
  }
  expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
});

test("the help pins the exit codes that programs rely on", () => {
  const words = helpText().replace(/\s+/g, " ");
  expect(words).toContain(
    "Exit status: 0 a complete answer; 1 the model or a tool failed, or there was no answer; 2 the command line or a " +
      "configuration file is wrong; 3 no model or no valid key; 4 a limit was hit: rate, quota, context or output " +
      "length; 130 stopped by SIGINT; 141 the reader of the output went away; 143 stopped by SIGTERM.",
  );
});

test("the README shows the flags as the parser has them", () => {
  const readme = readFileSync(`${import.meta.dirname}/../README.md`, "utf8");
  // The formatter pads the cells of tables.
  const bare = (markdown: string) =>
    markdown.replace(/ +\|/g, " |").replace(/-{3,}/g, "---").replaceAll("| ---", "|---");
  expect(bare(readme).replaceAll("--- |", "---|")).toContain(flagTable());
});
