import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createForeignPlayground, setTestScript } from "./foreign-project.ts";
import { ask, isReady, isWorking, openReady, quit, RESTORED, TIMEOUT_MS } from "./interactive-steps.ts";
import { createKeylessServer } from "./keyless-server.ts";
import { KEYS, openTerminal } from "./terminal.ts";

/** Keys count from a moment after a question appeared; its hint is shown from then on. */
const canAnswer = (screen: string) => screen.includes("Enter takes");
const isAsking = (screen: string) => screen.includes("→ Yes, this once") && canAnswer(screen);
const CTRL_U = "\u0015";
const PERMISSION_BITS = 0o777;

/** Asks at the start of a session and tells what it heard. */
const GREETER = `
export default (api) => {
  api.on("session_start", async () => {
    await api.report("Heard " + (await api.ui.confirm("Begin?")) + ".");
  });
};
`;

test("interactive: a command is asked for; a refusal with its reason reaches the model, what is allowed for the session is not asked again", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await setTestScript(playground, "echo tested");
  await using terminal = await openReady({ playground, rows: 60 });
  terminal.type(`run the tests${KEYS.enter}`);
  await terminal.until(
    "the question",
    (screen) =>
      isAsking(screen) &&
      screen.includes("  $ npm test") &&
      screen.includes("● bash npm test (waiting for you)"),
  );
  terminal.type(`${KEYS.up}${KEYS.enter}`);
  await terminal.until("the line to write in", (screen) =>
    screen.includes("What should be done instead of bash?"),
  );
  terminal.type(`not on a Friday${KEYS.enter}`);
  await terminal.until(
    "the refusal",
    (screen) => screen.includes("says: not on a Friday") && !isWorking(screen),
  );

  terminal.type(`run the tests${KEYS.enter}`);
  await terminal.until("the question", isAsking);
  terminal.type(`${KEYS.down}${KEYS.enter}`);
  await terminal.until("the run", (screen) => /✓ bash npm test \(exit 0/.test(screen) && !isWorking(screen));
  terminal.type(`run the tests${KEYS.enter}`);
  await terminal.until(
    "another run, without a question",
    // The first one may have scrolled away by now.
    (screen) => terminal.everything().split("✓ bash npm test (exit 0").length === 3 && !isWorking(screen),
  );
  await quit(terminal);
});

test("interactive: while a question stands, Esc refuses and stops the run; a signal ends the program and the terminal is restored", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await setTestScript(playground, "echo tested");
  await using terminal = openTerminal({ playground, args: ["--model", "demo", "run the tests"] });
  await terminal.until("the question", isAsking);
  terminal.type(KEYS.escape);
  await terminal.until(
    "the end of the run, without another answer",
    (screen) => screen.includes("It did not run.") && !isWorking(screen),
  );
  terminal.type(`run the tests${KEYS.enter}`);
  await terminal.until("the question", isAsking);
  terminal.signal("SIGTERM");
  expect(await terminal.exited).toBe(143);
  expect(terminal.modes()).toEqual(RESTORED);
});

test("interactive: a project's own settings and prompts wait for trust, which is asked for once", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await mkdir(join(playground.project, ".coppice/prompts"), { recursive: true });
  await writeFile(
    join(playground.project, ".coppice/prompts/look.md"),
    "---\ndescription: looks around\n---\nfind TODOs in $1",
  );
  await using first = openTerminal({ playground, args: ["--model", "demo"] });
  await first.until(
    "the question",
    (screen) => screen.includes("This project brings settings of its own") && canAnswer(screen),
  );
  expect(first.screen()).toContain(".coppice/prompts/look.md");
  first.type(`trust${KEYS.enter}`);
  await first.until("the editor", isReady);
  first.type("/loo");
  await first.until("the template among the commands", (screen) => /look .*looks around/.test(screen));
  first.type(KEYS.ctrlC);
  await ask(first, "/look dist", "offline demo");
  expect(first.everything()).toContain("› find TODOs in dist");
  await quit(first);
  await using second = openTerminal({ playground, args: ["--model", "demo"] });
  await second.until("the editor, without a question", isReady);
  await quit(second);
});

test("interactive: on the first run a key can be stored; it is for its owner alone and never on the screen", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = openTerminal({ playground, args: [] });
  await terminal.until("the welcome", (screen) => screen.includes("→ Try the demo now"));
  terminal.type(`store${KEYS.enter}`);
  await terminal.until("the providers", (screen) => screen.includes("Whose key?"));
  terminal.type(`anthropic${KEYS.enter}`);
  await terminal.until("the line for the key", (screen) => screen.includes("The key of anthropic"));
  terminal.type(`sk-made-up-4711${KEYS.enter}`);
  await terminal.until("the editor", (screen) => isReady(screen) && screen.includes("anthropic/claude-"));
  await quit(terminal);
  expect(terminal.raw()).not.toContain("sk-made-up");
  const path = join(playground.home, ".coppice/auth.json");
  expect((await stat(path)).mode & PERMISSION_BITS).toBe(0o600);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    anthropic: { type: "api_key", key: "sk-made-up-4711" },
  });
});

test("interactive: on the first run a server of one's own is named, written down and answers", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createKeylessServer("Hello from your own server.");
  await using terminal = openTerminal({ playground, args: [] });
  await terminal.until("the welcome", (screen) => screen.includes("→ Try the demo now"));
  terminal.type(`server of${KEYS.enter}`);
  await terminal.until("the address", (screen) => screen.includes("› http://localhost:11434/v1"));
  terminal.type(`${CTRL_U}${server.baseUrl}${KEYS.enter}`);
  await terminal.until("the model", (screen) => screen.includes("Name of the model"));
  terminal.type(`own-model${KEYS.enter}`);
  await terminal.until("the editor", (screen) => isReady(screen) && screen.includes("local/own-model"));
  await ask(terminal, "who are you?", "Hello from your own server.");
  await quit(terminal);
  expect(server.requests.map((body) => JSON.parse(body).model)).toEqual(["own-model"]);
  expect(JSON.parse(await readFile(join(playground.home, ".coppice/models.json"), "utf8"))).toEqual({
    providers: {
      local: { baseUrl: server.baseUrl, api: "openai-completions", models: [{ id: "own-model" }] },
    },
  });
});

test("interactive: /settings writes a setting and shows it at once, /permissions and /tools change what may run, /reload and /copy work", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground, rows: 60 });
  await ask(terminal, "find TODOs", "offline demo");
  terminal.type(`/settings${KEYS.enter}`);
  await terminal.until("the list", (screen) => screen.includes("→ theme"));
  terminal.type(KEYS.enter);
  await terminal.until("the themes", (screen) => screen.includes("→ auto"));
  terminal.type(`light${KEYS.enter}`);
  await terminal.until("that it counts", (screen) => screen.includes("theme is light in"));
  // The user's words in the light theme, #005f87, in 256 colours.
  await terminal.until("its colours", () => terminal.raw().includes("38;5;24m"));
  expect(JSON.parse(await readFile(join(playground.home, ".coppice/settings.json"), "utf8"))).toEqual({
    theme: "light",
  });
  terminal.type(`/permissions read-only${KEYS.enter}`);
  await terminal.until("the mode", (screen) => screen.includes("nothing that changes anything"));
  await ask(terminal, "run the tests", "read-only mode");
  terminal.type(`/tools${KEYS.enter}`);
  await terminal.until("the tools", (screen) => screen.includes("● grep"));
  terminal.type(`grep${KEYS.enter}`);
  await terminal.until("the tool turned off", (screen) => screen.includes("○ grep"));
  terminal.type(KEYS.escape);
  await terminal.until("the editor", (screen) => !screen.includes("Esc leaves"));
  terminal.type(`/reload${KEYS.enter}`);
  await terminal.until("that all was read", (screen) => screen.includes("Read anew"));
  terminal.type(`/copy${KEYS.enter}`);
  await terminal.until("the copy", (screen) => screen.includes("handed to the terminal's clipboard"));
  const copied = /\]52;c;([\w+/=]+)/.exec(terminal.raw())?.[1] ?? "";
  expect(Buffer.from(copied, "base64").toString("utf8")).toContain("read-only");
  await ask(terminal, "what did I ask so far?", "“find TODOs”");
  await quit(terminal);
});

test("interactive: an extension that asks as soon as there is a session is answered, at the start, in a new session and after a reload", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await writeFile(join(playground.project, "greeter.mjs"), GREETER);
  const args = ["--model", "demo", "--extension", "./greeter.mjs"];
  await using terminal = openTerminal({ playground, args, rows: 60 });
  const answer = async (heard: string, ...keys: readonly string[]) => {
    await terminal.until("the question", (screen) => screen.includes("? Begin?") && canAnswer(screen));
    for (const key of keys) terminal.type(key);
    await terminal.until(`that it heard ${heard}`, (screen) => screen.includes(`Heard ${heard}.`));
  };
  await answer("true", KEYS.enter);
  await terminal.until("the editor", isReady);
  terminal.type(`/new${KEYS.enter}`);
  await answer("false", KEYS.down, KEYS.enter);
  terminal.type(`/reload${KEYS.enter}`);
  await answer("true", KEYS.enter);
  await terminal.until("that all was read", (screen) => screen.includes("Read anew"));
  terminal.type(`/new${KEYS.enter}`);
  await terminal.until("the question", (screen) => screen.includes("? Begin?") && canAnswer(screen));
  terminal.signal("SIGTERM");
  expect(await terminal.exited).toBe(143);
});
