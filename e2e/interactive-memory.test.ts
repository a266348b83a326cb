import { readFile } from "node:fs/promises";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createForeignPlayground } from "./foreign-project.ts";
import { goodSummary } from "./good-summary.ts";
import { ask, isWorking, openReady, quit, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";
import { jsonLines, type Playground, sessionFiles } from "./spawn-coppice.ts";
import { KEYS } from "./terminal.ts";

const [CTRL_P, CTRL_S] = ["\u0010", "\u0013"];

/** Long enough that a summary is worth it. */
const long = (end: string) => `${"The river runs past the old mill. ".repeat(1_500)}${end}`;

async function entriesOf(playground: Playground) {
  const [path = ""] = await sessionFiles(playground);
  return jsonLines(await readFile(path, "utf8"));
}

test("interactive: /compact shows what goes and stays, its draft is edited and stored, /undo-compact and /redo-compact turn it back and forth", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: [long("END-1"), long("END-2"), long("END-3")] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 200_000 });
  await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], rows: 60 });
  for (const count of [1, 2, 3]) await ask(terminal, `tell number ${count}`, `END-${count}`);

  terminal.type(`/compact the mill${KEYS.enter}`);
  await terminal.until("the outlook", (screen) => /goes into a summary +\d+ messages/.test(screen));
  server.push(goodSummary("Tell of the river."));
  terminal.type(`write${KEYS.enter}`);
  await terminal.until(
    "the draft",
    (screen) => screen.includes("Ctrl+S takes it") && screen.includes("Go on."),
  );
  // The caret stands at the end.
  terminal.type(`${KEYS.enter}- The mill is RED.${CTRL_S}`);
  await terminal.until("the compaction", (screen) => screen.includes("Compacted:") && !isWorking(screen));
  terminal.type(`/undo-compact${KEYS.enter}`);
  await terminal.until("that it is taken back", (screen) => screen.includes("The compaction is taken back"));
  terminal.type(`/redo-compact${KEYS.enter}`);
  await terminal.until("that it counts again", (screen) => screen.includes("The compaction counts again"));
  await quit(terminal);
  const compactions = (await entriesOf(playground)).filter(({ type }) => type === "compaction");
  expect(compactions.length).toBeGreaterThanOrEqual(1);
  expect(compactions.at(-1)?.summary).toContain("- The mill is RED.");
  expect(server.rejections).toEqual([]);
});

test("interactive: in /context an entry is hidden from the next request and restored, another is shortened, a rule is pinned, and the exact request is shown", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: ["First.", long("Second."), "Third."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], rows: 60 });
  await ask(terminal, "the word is PLUGH", "First.");

  const actOn = async (action: string, state: RegExp, words = "user PLUGH") => {
    terminal.type(`/context${KEYS.enter}`);
    await terminal.until("the view", (screen) => screen.includes("Ctrl+P the exact request"));
    terminal.type(words);
    await terminal.until("the search", (screen) => screen.includes(`/ ${words}`));
    expect(terminal.screen()).toMatch(new RegExp(`→ .* ${words.replace(" ", " .*")}`));
    terminal.type(KEYS.enter);
    await terminal.until("what can be done", (screen) => screen.includes("Pin a rule from it"));
    terminal.type(`${action}${KEYS.enter}`);
    await terminal.until(`the state after ${action}`, (screen) => state.test(screen));
    if (action === "pin a rule") {
      terminal.type(KEYS.enter);
      await terminal.until("the view again", (screen) => /→ in .*user/.test(screen));
    }
    terminal.type(KEYS.escape);
    await terminal.until("the editor", (screen) => !screen.includes("Esc leaves"));
  };
  await actOn("hide", /→ hidden .*user/);
  await ask(terminal, "what is the word?", "Second.");
  expect(JSON.stringify(server.requests.at(-1))).not.toContain("PLUGH");
  await actOn("whole again", /→ in .*user/);
  await actOn("shorten", /→ shortened .*assistant/, "assistant river");
  await actOn("pin a rule", /The rule, word for word\n› the word is PLUGH/, "user PLUGH");

  terminal.type(`/context${KEYS.enter}`);
  await terminal.until("the view", (screen) => screen.includes("Ctrl+P the exact request"));
  terminal.type(CTRL_P);
  await terminal.until(
    "the request",
    (screen) => /lines 1–20 of \d+/.test(screen) && screen.includes('"wire/wire-1"'),
  );
  terminal.type(KEYS.escape);
  await terminal.until("the view again", (screen) => screen.includes("Ctrl+P the exact request"));
  terminal.type(KEYS.escape);
  await terminal.until("the editor", (screen) => !screen.includes("Esc leaves"));
  await ask(terminal, "and now?", "Third.");
  const sent = JSON.stringify(server.requests.at(-1));
  expect(sent).toContain("PLUGH");
  expect(sent).toMatch(/shortened by the user; the whole is entry \w+ …\]/);
  terminal.type(`/pins${KEYS.enter}`);
  await terminal.until("the rule", (screen) => screen.includes("the word is PLUGH  (user)"));
  await quit(terminal);
  expect((await entriesOf(playground)).filter(({ type }) => type === "context_edit")).toHaveLength(3);
});

test("interactive: /recall shows what another branch said, /bring takes it along, and says how things stand", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: ["Left.", "Right.", "Known."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], rows: 60 });
  await ask(terminal, "go left, says FROTZ", "Left.");
  terminal.type(`/tree${KEYS.enter}`);
  await terminal.until("the tree", (screen) => screen.includes("· conversation"));
  terminal.type(`user left${KEYS.enter}`);
  await terminal.until("what to do", (screen) => screen.includes("→ Move there"));
  terminal.type(KEYS.enter);
  await terminal.until("the text for editing", (screen) => /─\n +go left, says FROTZ *\n─/.test(screen));
  terminal.type(KEYS.ctrlC);
  await ask(terminal, "go right", "Right.");
  terminal.type(`/recall says FROTZ${KEYS.enter}`);
  await terminal.until(
    "the original of the other branch",
    (screen) => /\d originals? lines 1/.test(screen) && screen.includes("go left, says FROTZ"),
  );
  terminal.type(KEYS.escape);
  await terminal.until("the editor", (screen) => !screen.includes("Esc leaves"));
  terminal.type(`/bring${KEYS.enter}`);
  await terminal.until("the tree", (screen) => screen.includes("Bring here"));
  terminal.type("user FROTZ");
  await terminal.until("the entry", (screen) => /→.*› go left/.test(screen));
  terminal.type(KEYS.enter);
  await terminal.until("how", (screen) => screen.includes("→ Bring this entry"));
  terminal.type(KEYS.enter);
  await terminal.until("that it is here", (screen) => screen.includes("It is part of this branch now."));
  await ask(terminal, "what do you know?", "Known.");
  expect(JSON.stringify(server.requests.at(-1))).toContain("FROTZ");
  await quit(terminal);
});
