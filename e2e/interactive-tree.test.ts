import { readFile } from "node:fs/promises";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createForeignPlayground } from "./foreign-project.ts";
import { goodSummary } from "./good-summary.ts";
import { ask, openReady, quit, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";
import { jsonLines, sessionFiles } from "./spawn-coppice.ts";
import { KEYS } from "./terminal.ts";

const CTRL_L = "\u000c";
const TAB = "\t";

test("interactive: in /tree an entry is labelled, found by its label, left with a summary, and its branch stays; from another a copy is made", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: ["Pruned.", "Grown."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], rows: 50 });
  await ask(terminal, "prune the tree", "Pruned.");
  await ask(terminal, "let it grow", "Grown.");
  terminal.type(`/tree${KEYS.enter}`);
  await terminal.until("the tree at the position", (screen) => /→▸ +now •/.test(screen));
  terminal.type("user prune");
  await terminal.until("the match", (screen) => /→.*› prune the tree/.test(screen));
  terminal.type(CTRL_L);
  await terminal.until("the line for the label", (screen) => screen.includes("Label; empty takes it away"));
  terminal.type(`the start${KEYS.enter}`);
  await terminal.until("the label", (screen) => /→.*› \[the start\] prune the tree/.test(screen));
  terminal.type(KEYS.backspace.repeat("user prune".length));
  await terminal.until("all rows", (screen) => /Tree \d+\/[4-9] /.test(screen));
  terminal.type(`${TAB}${TAB}`);
  await terminal.until("those with a label", (screen) => screen.includes("· labelled"));
  terminal.type(KEYS.enter);
  await terminal.until("what to do", (screen) => screen.includes("→ Move there"));
  server.push(goodSummary("Grow the tree."));
  terminal.type(`tell the model${KEYS.enter}`);
  await terminal.until("the summary of the branch", (screen) => screen.includes("Summary of another branch"));
  await terminal.until("the message in the editor", (screen) => /─\n +prune the tree *\n─/.test(screen));
  terminal.type(`${KEYS.ctrlC}/tree${KEYS.enter}`);
  await terminal.until("the tree again", (screen) => screen.includes("· conversation"));
  terminal.type("user grow");
  await terminal.until("its message", (screen) => /→.*› let it grow/.test(screen));
  terminal.type(KEYS.enter);
  await terminal.until("what to do", (screen) => screen.includes("→ Move there"));
  terminal.type(`in a copy${KEYS.enter}`);
  await terminal.until("the message in the editor", (screen) => /─\n +let it grow *\n─/.test(screen));
  expect(terminal.screen()).toMatch(/A copy of session \S+\./);
  terminal.type(KEYS.ctrlC);
  await quit(terminal);
  const [path = "", copy = "", ...more] = await sessionFiles(playground);
  expect(more).toEqual([]);
  const copied = jsonLines(await readFile(copy, "utf8")).map((entry) => JSON.stringify(entry));
  expect(copied.some((entry) => entry.includes("prune the tree"))).toBe(true);
  expect(copied.some((entry) => entry.includes("let it grow"))).toBe(false);
  const entries = jsonLines(await readFile(path, "utf8"));
  const kinds = entries.map(({ type }) => type);
  expect(kinds.filter((kind) => kind === "branch_summary" || kind === "label")).toEqual([
    "label",
    "branch_summary",
  ]);
  expect(server.rejections).toEqual([]);
});
