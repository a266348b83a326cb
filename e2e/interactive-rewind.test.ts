import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall, type WireAnswer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createForeignPlayground } from "./foreign-project.ts";
import { ask, openReady, quit, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";
import type { Playground } from "./spawn-coppice.ts";
import { KEYS, type Terminal } from "./terminal.ts";

const writes = (path: string, content: string): WireAnswer => ({
  content: [scriptedToolCall("write", { path, content })],
});

/** One prompt that changes a file, makes one, and makes one that somebody else changes afterwards. */
const ANSWERS = [
  ...[writes("garden.txt", "pruned\n"), writes("made.txt", "made\n"), writes("shared.txt", "agent\n")],
  { content: [scriptedText("Pruned.")] },
  { content: [scriptedText("Seen.")] },
];
const ARGS = ["--model", "wire/wire-1", "--permission-mode", "auto"];

async function pruned(playground: Playground, terminal: Terminal): Promise<(name: string) => string> {
  const at = (name: string) => join(playground.project, name);
  await ask(terminal, "prune the garden", "Pruned.");
  expect(await readFile(at("garden.txt"), "utf8")).toBe("pruned\n");
  await writeFile(at("shared.txt"), "person\n");
  return at;
}

/** Chooses the first prompt in the view that a command opens. */
async function chooseThePrompt(terminal: Terminal, command: string, title: string): Promise<void> {
  terminal.type(`/${command}${KEYS.enter}`);
  await terminal.until("the tree", (screen) => screen.includes(title));
  terminal.type("user prune");
  await terminal.until("the match", (screen) => /→.*› prune the garden/.test(screen));
  terminal.type(KEYS.enter);
}

async function expectPutBack(at: (name: string) => string): Promise<void> {
  expect(await readFile(at("garden.txt"), "utf8")).toBe("wild\n");
  expect(existsSync(at("made.txt"))).toBe(false);
  expect(await readFile(at("shared.txt"), "utf8")).toBe("person\n");
}

test("interactive: /rewind shows which files go back and which stay, puts them back once that is confirmed, and the talk stays", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await writeFile(join(playground.project, "garden.txt"), "wild\n");
  await using server = await createWireServer({ answers: ANSWERS });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await using terminal = await openReady({ playground, args: ARGS, rows: 60 });
  const at = await pruned(playground, terminal);

  await chooseThePrompt(terminal, "rewind", "Files as they were at");
  const outlook = (screen: string) =>
    /restore +garden\.txt/.test(screen) &&
    /remove +made\.txt \(did not exist then\)/.test(screen) &&
    /stays +shared\.txt \(/.test(screen);
  await terminal.until("what would happen", outlook);
  terminal.type(KEYS.escape);
  await terminal.until("the editor", (screen) => !screen.includes("Put these files back"));
  expect(await readFile(at("garden.txt"), "utf8")).toBe("pruned\n");

  await chooseThePrompt(terminal, "rewind", "Files as they were at");
  await terminal.until("the question", (screen) => screen.includes("→ Put these files back"));
  terminal.type(KEYS.enter);
  await terminal.until("that it is done", (screen) => screen.includes("2 files are put back."));
  await expectPutBack(at);
  await ask(terminal, "what do you see?", "Seen.");
  const told = JSON.stringify(server.requests.at(-1));
  expect(told).toContain("prune the garden");
  expect(told).toContain("garden.txt");
  await quit(terminal);
  expect(server.rejections).toEqual([]);
});

test("interactive: /tree moves to a prompt with the files: talk and files are as they were before it", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await writeFile(join(playground.project, "garden.txt"), "wild\n");
  await using server = await createWireServer({ answers: ANSWERS });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await using terminal = await openReady({ playground, args: ARGS, rows: 60 });
  const at = await pruned(playground, terminal);

  await chooseThePrompt(terminal, "tree", "· conversation");
  await terminal.until("what to do", (screen) => screen.includes("→ Move there"));
  terminal.type(`put the files back${KEYS.enter}`);
  await terminal.until("the text for editing", (screen) => /─\n +prune the garden *\n─/.test(screen));
  await expectPutBack(at);
  terminal.type(KEYS.ctrlC);
  await ask(terminal, "what do you see?", "Seen.");
  expect(JSON.stringify(server.requests.at(-1))).not.toContain("prune the garden");
  await quit(terminal);
  expect(server.rejections).toEqual([]);
});
