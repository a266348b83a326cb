import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { ROOT } from "./checkout-copy.ts";
import { createForeignPlayground } from "./foreign-project.ts";
import { ask, isReady, openReady, quit, storedPrompts, TIMEOUT_MS } from "./interactive-steps.ts";
import type { Playground } from "./spawn-coppice.ts";
import { KEYS, openTerminal } from "./terminal.ts";

const SERVER = join(ROOT, "packages/coding-agent/test/mcp/stdio-server.ts");
const PERMISSION_BITS = 0o777;

async function layUserFile({ home }: Playground, name: string, text: string): Promise<void> {
  const path = join(home, ".coppice", name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text);
}

test("interactive: /clone goes on in a copy, and the session that was left stays as it was; an empty one is not copied", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground, rows: 50 });
  terminal.type(`/clone${KEYS.enter}`);
  await terminal.until("that there is nothing", (screen) => screen.includes("The session is empty."));
  await ask(terminal, "find TODOs", "offline demo");
  terminal.type(`/clone${KEYS.enter}`);
  await terminal.until("the copy", (screen) => screen.includes("A copy of session "));
  await ask(terminal, "what did I ask so far?", "“find TODOs”");
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([["find TODOs"], ["find TODOs", "what did I ask so far?"]]);
});

test("interactive: /skills offers skills and writes the chosen one into the editor; without any it says where they lie", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground });
  terminal.type(`/skills${KEYS.enter}`);
  await terminal.until("where they lie", (screen) => screen.includes("There are no skills. They lie in"));
  for (const name of ["pruning", "watering"]) {
    await layUserFile(
      playground,
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: all about ${name}\n---\nDo it in March.\n`,
    );
  }
  terminal.type(`/reload${KEYS.enter}`);
  await terminal.until("that all was read", (screen) => screen.includes("Read anew"));
  terminal.type(`/skills${KEYS.enter}`);
  await terminal.until("the list", (screen) => /→ pruning +all about pruning/.test(screen));
  terminal.type(`water${KEYS.enter}`);
  await terminal.until("it in the editor", (screen) => /─\n +\/skill:watering/.test(screen));
  terminal.type(KEYS.ctrlC);
  await quit(terminal);
});

test("interactive: /mcp says how the servers are and starts one again; without any it says how to add one", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground, rows: 50 });
  terminal.type(`/mcp${KEYS.enter}`);
  await terminal.until("how to add one", (screen) => screen.includes("`coppice mcp add` adds one"));
  const sample = { command: process.execPath, args: [SERVER] };
  const missing = { command: "/no/such/program" };
  await layUserFile(playground, "mcp.json", JSON.stringify({ mcpServers: { sample, missing } }));
  terminal.type(`/reload${KEYS.enter}`);
  await terminal.until("that all was read", (screen) => screen.includes("Read anew"));
  // Asked once its start is over: `/mcp` waits for a short time only.
  terminal.type(`/mcp sample${KEYS.enter}`);
  await terminal.until("the server", (screen) => /^sample: ready, \d+ tools/m.test(screen));
  terminal.type(`/mcp${KEYS.enter}`);
  await terminal.until("both", (screen) => /^missing: failed, .*ENOENT/m.test(screen));
  terminal.type(`/mcp nobody${KEYS.enter}`);
  await terminal.until("that there is none", (screen) => screen.includes('There is no server "nobody"'));
  await quit(terminal);
});

test("UI-21: /hotkeys shows the keys that count, those of the person's own file too", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await layUserFile(playground, "keybindings.json", '{"app.expand": ["alt+x"]}');
  await using terminal = await openReady({ playground, rows: 80 });
  terminal.type(`/hotkeys${KEYS.enter}`);
  await terminal.until("the table", (screen) => screen.includes("Change them in"));
  expect(terminal.everything()).toMatch(/Alt\+X .*app\.expand|app\.expand .*Alt\+X/);
  expect(terminal.everything()).not.toContain("Ctrl+O");
  await quit(terminal);
});

test("interactive: /login stores a key for its owner alone, shows nothing of it, and is left with Esc", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground });
  const path = join(playground.home, ".coppice/auth.json");
  const openLine = async () => {
    terminal.type(`/login${KEYS.enter}`);
    await terminal.until("the providers", (screen) => screen.includes("Whose key?"));
    terminal.type(`openrouter${KEYS.enter}`);
    await terminal.until("the line for the key", (screen) => screen.includes("The key of openrouter"));
  };
  await openLine();
  terminal.type(`sk-left${KEYS.escape}`);
  await terminal.until("the editor", (screen) => !screen.includes("The key of openrouter"));
  await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  await openLine();
  terminal.type(`sk-made-up-4711${KEYS.enter}`);
  await terminal.until("what to do next", (screen) => screen.includes("/model chooses"));
  await quit(terminal);
  expect(terminal.raw()).not.toMatch(/sk-left|sk-made-up/);
  expect((await stat(path)).mode & PERMISSION_BITS).toBe(0o600);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    openrouter: { type: "api_key", key: "sk-made-up-4711" },
  });
});

test("UI-13: an extension of --extension asks in the terminal; an Enter that comes with the question answers nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await writeFile(
    join(playground.project, "ask.mjs"),
    `export default (api) => api.registerCommand("ask", {
      description: "Asks.",
      handler: async () => "The answer is " + (await api.ui.confirm("Water the beds?")) + ".",
    });`,
  );
  await using terminal = await openReady({
    playground,
    args: ["--model", "demo", "--extension", "./ask.mjs"],
  });
  terminal.type(`/ask${KEYS.enter}${KEYS.enter}`);
  await terminal.until("the question", (screen) => screen.includes("? Water the beds? (ask)"));
  await terminal.until("that keys count", (screen) => screen.includes("Enter takes"));
  expect(terminal.everything()).not.toContain("The answer is");
  terminal.type(KEYS.enter);
  await terminal.until("the answer", (screen) => screen.includes("The answer is true."));
  terminal.type(`/ask${KEYS.enter}`);
  await terminal.until(
    "the question",
    (screen) => screen.includes("→ Yes") && screen.includes("Enter takes"),
  );
  terminal.type(KEYS.escape);
  await terminal.until("the refusal", (screen) => screen.includes("The answer is false."));
  await quit(terminal);
});

test("interactive: a login that is refused says which command logs in again, and that command takes the provider", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: [] });
  const oauth = {
    ...{ clientId: "c", tokenUrl: `${server.origin}/token` },
    authorizationUrl: `${server.origin}/authorize`,
  };
  const club = { baseUrl: server.baseUrl("openai-completions"), oauth, models: [{ id: "wire-1" }] };
  await layUserFile(playground, "models.json", JSON.stringify({ providers: { club } }));
  const login = { type: "oauth", access: "taken-back", refresh: "r", expiresAtMs: 9e15 };
  await layUserFile(playground, "auth.json", JSON.stringify({ club: login }));
  await using terminal = await openReady({ playground, args: ["--model", "club/wire-1"] });
  terminal.type(`grow${KEYS.enter}`);
  await terminal.until("the advice", (screen) => screen.includes("Log in again with /login club"));
  terminal.type(`/login nobody${KEYS.enter}`);
  await terminal.until("that there is none", (screen) => screen.includes('No provider "nobody"'));
  terminal.type(`/login club${KEYS.enter}`);
  await terminal.until("the address", (screen) => screen.includes("/authorize?"));
  expect(terminal.screen()).not.toContain("Whose key?");
  terminal.type(KEYS.escape);
  await terminal.until("the editor", (screen) => !/\/authorize\?/.test(screen));
  await quit(terminal);
});

test("interactive: an extension that is long in its set-up is named while it is waited for, at the start and by /reload", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  const gate = join(playground.home, "gate");
  await writeFile(
    join(playground.project, "slow.mjs"),
    `import { existsSync } from "node:fs";
    export default async () => {
      while (!existsSync(${JSON.stringify(gate)})) await new Promise((done) => setTimeout(done, 20));
    };`,
  );
  const args = ["--model", "demo", "--extension", "./slow.mjs"];
  await using terminal = openTerminal({ playground, args });
  const waiting = "Waiting for the extension slow to be set up";
  await terminal.until("what is waited for", (screen) => screen.includes(waiting));
  await writeFile(gate, "");
  await terminal.until("the agent", (screen) => isReady(screen) && !screen.includes(waiting));
  await rm(gate);
  terminal.type(`/reload${KEYS.enter}`);
  await terminal.until("what is waited for", (screen) => screen.includes(waiting));
  await writeFile(gate, "");
  await terminal.until("that all was read", (screen) => screen.includes("Read anew"));
  expect(terminal.screen()).not.toContain(waiting);
  await quit(terminal);
});
