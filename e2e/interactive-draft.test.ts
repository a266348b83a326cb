import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createForeignPlayground } from "./foreign-project.ts";
import { goodSummary } from "./good-summary.ts";
import { ask, openReady, quit, storedPrompts, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";
import { KEYS, type Terminal } from "./terminal.ts";

const WINDOW = { api: "anthropic-messages", contextWindow: 100_000 };
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;
const LEFT = "\u001b[D";

/** Where the text stands on the screen. */
function rowOf(terminal: Terminal, text: string): number {
  return terminal
    .screen()
    .split("\n")
    .findIndex((line) => line.includes(text));
}

test("B207: the terminal's own cursor, where an input method opens its window, stands on the caret, behind wide characters and after a resize", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground, columns: 80 });
  const expectAt = (text: string, column: number) =>
    terminal.until(`the cursor at ${column}`, () => {
      const row = rowOf(terminal, text);
      const cursor = terminal.cursor();
      return row >= 0 && cursor.row === row && cursor.column === column;
    });
  terminal.type("报错树");
  await expectAt("报错树", 1 + 6);
  terminal.type("🌳");
  await expectAt("报错树🌳", 1 + 8);
  terminal.type(LEFT);
  await expectAt("报错树🌳", 1 + 6);
  terminal.type(`${LEFT}a`);
  await expectAt("报错a树🌳", 1 + 5);
  terminal.resize(40, 24);
  await expectAt("报错a树🌳", 1 + 5);
  terminal.type(`${KEYS.ctrlC}${"树".repeat(20)}`);
  // 40 columns hold 19 of them between the margins; the caret is on the second line.
  const lastRow = () => rowOf(terminal, "树".repeat(19)) + 1;
  await terminal.until("the cursor on the second line", () => {
    const { row, column } = terminal.cursor();
    return lastRow() > 0 && row === lastRow() && column === 1 + 2;
  });
  terminal.type(KEYS.ctrlC);
  await quit(terminal);
});

test("UI-13: what is written while the left branch is summarised stays, behind the message that comes back", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: ["Pruned.", "Grown."] });
  await describeServer(playground, server, WINDOW);
  await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], rows: 60 });
  await ask(terminal, "prune the tree", "Pruned.");
  await ask(terminal, "let it grow", "Grown.");
  const gate = Promise.withResolvers<void>();
  server.push({ content: [scriptedText(goodSummary("Grow."))], pace: { gate: () => gate.promise } });
  terminal.type(`/tree${KEYS.enter}`);
  await terminal.until("the tree", (screen) => screen.includes("· conversation"));
  terminal.type("user prune");
  await terminal.until("the match", (screen) => /→.*› prune the tree/.test(screen));
  terminal.type(KEYS.enter);
  await terminal.until("what to do", (screen) => screen.includes("→ Move there"));
  terminal.type(`tell the model${KEYS.enter}`);
  await terminal.until("the summary being made", (screen) => screen.includes("Leaving the branch"));
  const lines = Array.from({ length: 11 }, (_, index) => `line ${index + 1}`).join("\n");
  terminal.type(`half a thought ${paste(lines)} and`);
  await terminal.until("the draft", (screen) => screen.includes("half a thought [paste #1 +11 lines] and"));
  gate.resolve();
  await terminal.until("the message before it", (screen) =>
    /─\n +prune the tree *\n *\n +half a thought line 1 *\n[^─]* line 11 and *\n─/.test(screen),
  );
  expect(terminal.everything()).toContain("Summary of another branch");
  server.push("Both.");
  terminal.type(` more${KEYS.enter}`);
  await terminal.until("the answer", (screen) => screen.includes("Both."));
  await quit(terminal);
  const [prompts] = await storedPrompts(playground);
  expect(prompts).toEqual([`prune the tree\n\nhalf a thought ${lines} and more`]);
  expect(server.rejections).toEqual([]);
});

test("UI-10, UI-21: a Backspace that was given to nothing writes nothing; the key that deletes now does", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await mkdir(join(playground.home, ".coppice"), { recursive: true });
  const keys = { "tui.editor.deleteCharBackward": ["ctrl+r"] };
  await writeFile(join(playground.home, ".coppice/keybindings.json"), JSON.stringify(keys));
  await using terminal = await openReady({ playground });
  terminal.type(`find TODOX${KEYS.backspace}\u0012s`);
  await terminal.until("the text", (screen) => screen.includes("find TODOs"));
  await ask(terminal, "", "offline demo");
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([["find TODOs"]]);
});

test("B202: an extension reads and changes the whole text of a paste, sent at once and as a follow-up", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await writeFile(
    join(playground.project, "count.mjs"),
    `export default (api) => api.on("input", (input) => ({
      ...input,
      text: input.text + " (" + input.text.split("\\n").length + " lines)",
    }));`,
  );
  const gate = Promise.withResolvers<void>();
  await using server = await createWireServer({
    answers: [{ content: [scriptedText("First.")], pace: { gate: () => gate.promise } }, "Second."],
  });
  await describeServer(playground, server, WINDOW);
  await using terminal = await openReady({
    playground,
    args: ["--model", "wire/wire-1", "--extension", "./count.mjs"],
  });
  const lines = (name: string) => Array.from({ length: 24 }, (_, index) => `${name} ${index + 1}`).join("\n");
  terminal.type(`read ${paste(lines("one"))}${KEYS.enter}`);
  await terminal.until("the work", (screen) => screen.includes("Esc to interrupt"));
  terminal.type(`and ${paste(lines("two"))}, not [paste #9 +24 lines]`);
  await terminal.until("the chip", (screen) => /and \[paste #\d \+24 lines\], not/.test(screen));
  terminal.type(KEYS.altEnter);
  await terminal.until("the queue", (screen) => screen.includes("1 queued"));
  gate.resolve();
  await terminal.until("both answers", (screen) => screen.includes("Second.") && !screen.includes("queued"));
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([
    [`read ${lines("one")} (24 lines)`, `and ${lines("two")}, not [paste #9 +24 lines] (24 lines)`],
  ]);
  expect(server.rejections).toEqual([]);
});
