import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { codingAgentHooks, createBuiltinTools, createLocalEnvironment } from "@coppice/coding-agent";
import { createScenario, type ScenarioOptions } from "@coppice/coding-agent/testing";
import { expect, onTestFinished, test } from "vitest";
import turnLimit from "./agent/turn-limit/index.ts";
import echoProvider from "./ai/echo-provider/index.ts";
import fileFacts from "./coding-agent/file-facts/index.ts";
import protectedFiles from "./coding-agent/protected-files/index.ts";
import saveNote from "./coding-agent/save-note/index.ts";
import notes from "./session/notes/index.ts";
import { sqliteStorage } from "./session/sqlite-storage/index.ts";

async function inFolder(options: ScenarioOptions) {
  const cwd = await mkdtemp(join(tmpdir(), "coppice-example-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 5 }));
  const environment = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  const tools = createBuiltinTools({ cwd, environment });
  return { cwd, ...(await createScenario({ cwd, environment, tools, ...options })) };
}

function lastResult(messages: readonly { readonly role: string }[] | undefined): string {
  return JSON.stringify(messages?.findLast(({ role }) => role === "toolResult"));
}

test("ai/echo-provider: its model answers through its own wire API", async () => {
  const { agent } = await createScenario({ answers: [], extensions: [echoProvider] });
  const [parrot] = agent.extensionModels;
  if (parrot === undefined) throw new Error("There is no model.");
  await agent.setModel(parrot);
  await agent.prompt("Good morning.");
  const answer = (await agent.getContext()).messages.at(-1);
  expect(answer?.role === "assistant" && [textOf(answer.content), answer.provider]).toEqual([
    "Good morning.",
    "echo",
  ]);
});

test("agent/turn-limit: a run that never ends is ended, and the model was told before", async () => {
  const { agent, model } = await inFolder({
    answers: () => scriptedToolCall("ls", {}),
    extensions: [turnLimit],
  });
  await agent.prompt("Go on for ever.");
  expect(model.requests).toHaveLength(20);
  const told = model.requests.map(({ messages }) =>
    JSON.stringify(messages.at(-1)).includes("of at most 20"),
  );
  expect(told.indexOf(true)).toBe(19);
});

test("coding-agent/file-facts: the model gets the facts, or the reason why not", async () => {
  const { agent, model, cwd } = await inFolder({
    answers: [
      scriptedToolCall("file_facts", { path: "a.txt" }),
      scriptedToolCall("file_facts", { path: "b.txt" }),
      "ok",
    ],
    extensions: [fileFacts],
  });
  await writeFile(join(cwd, "a.txt"), "hello");
  await agent.prompt("Look.");
  expect(lastResult(model.requests[1]?.messages)).toContain("a.txt: 5 bytes, changed ");
  expect(lastResult(model.requests[2]?.messages)).toContain("ENOENT");
});

test("coding-agent/protected-files: the user is asked, and without a user nothing is changed", async () => {
  const write = (path: string) => scriptedToolCall("write", { path, content: "x" });
  const alone = await inFolder({ answers: [write(".env"), "ok"], extensions: [protectedFiles] });
  await alone.agent.prompt("Write.");
  expect(lastResult(alone.model.requests[1]?.messages)).toContain(".env is changed by people only.");
  const asked: string[] = [];
  const together = await inFolder({
    answers: [write("CHANGELOG.md"), write("other.md"), "ok"],
    extensions: [protectedFiles],
    dialogs: async ({ title }) => {
      asked.push(title);
      return true;
    },
  });
  await together.agent.prompt("Write.");
  expect(asked).toEqual(["May the agent change CHANGELOG.md?"]);
  expect(await readFile(join(together.cwd, "CHANGELOG.md"), "utf8")).toBe("x");
});

test("coding-agent/save-note: the last answer is appended to a file", async () => {
  const { agent, cwd } = await inFolder({ answers: ["It is green."], extensions: [saveNote] });
  expect(await agent.runCommand("save-note")).toBe("There is no answer yet.");
  await agent.prompt("Which colour?");
  expect(await agent.runCommand("save-note", "Colour")).toBe('Saved as "Colour".');
  expect(await readFile(join(cwd, "NOTES.md"), "utf8")).toBe("## Colour\n\nIt is green.\n\n");
});

test("session/notes: a note reaches the model on its branch, and nothing without the extension", async () => {
  const { agent, model } = await createScenario({ answers: () => "ok", extensions: [notes] });
  await agent.prompt("one");
  expect(await agent.runCommand("note", "tabs, not blanks")).toBe("Noted.");
  await agent.prompt("two");
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("[Note of the user] tabs, not blanks");
  await agent.reloadExtensions([]);
  await agent.prompt("three");
  expect(JSON.stringify(model.requests[2]?.messages)).not.toContain("tabs, not blanks");
});

test("session/sqlite-storage: the session is kept in the database", async () => {
  const { agent } = await createScenario({
    answers: ["ok"],
    extensions: [sqliteStorage(":memory:")],
    openSession: async (storages) => {
      const repo = storages.get("sqlite");
      if (repo === undefined) throw new Error("There is no such storage.");
      return { session: await repo.create({ cwd: "/project" }), repo };
    },
  });
  await agent.prompt("Keep this.");
  const { session } = await agent.fork();
  const { messages } = await session.buildContext();
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("every folder loads as an extension the way the program loads it", { timeout: 90_000 }, () => {
  const script = `
    import { createLocalEnvironment, loadExtensions } from "@coppice/coding-agent";
    const { files } = createLocalEnvironment({ environmentVariables: {} });
    const folders = ["ai", "agent", "coding-agent", "session"];
    for (const folder of folders) {
      const { extensions, diagnostics } = await loadExtensions({ files, userExtensions: process.cwd() + "/" + folder });
      console.log(folder, extensions.map(({ name }) => name).join(" "), diagnostics.map(({ message }) => message.split(": ")[1]).join(" "));
    }
  `;
  const run = spawnSync(
    process.execPath,
    ["--conditions=@coppice/source", "--input-type=module", "--eval", script],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  expect([
    run.stderr,
    run.stdout
      .trim()
      .split("\n")
      .map((line) => line.trim()),
  ]).toEqual([
    expect.stringMatching(/^$|ExperimentalWarning: SQLite/),
    [
      "ai echo-provider",
      "agent turn-limit",
      "coding-agent file-facts protected-files save-note",
      // The storage wants to know where its database lies: it is made by a function.
      "session notes its default export is no extension",
    ],
  ]);
});

test("the guide shows the examples as they are", async () => {
  const root = join(import.meta.dirname, "../..");
  const guide = await readFile(join(root, "docs/guides/write-an-extension.md"), "utf8");
  const shown = [...guide.matchAll(/^```ts (examples\/\S+)\n([\s\S]*?)^```$/gm)];
  expect(shown.map(([, path]) => path)).toEqual([
    "examples/extensions/coding-agent/file-facts/index.ts",
    "examples/extensions/coding-agent/protected-files/index.ts",
  ]);
  for (const [, path = "", text] of shown) expect(text).toBe(await readFile(join(root, path), "utf8"));
});

test("the guide names every hook", async () => {
  const guide = await readFile(join(import.meta.dirname, "../../docs/guides/write-an-extension.md"), "utf8");
  const table = guide.slice(guide.indexOf("## Hooks"), guide.indexOf("Besides, `on`"));
  const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(Object.keys(codingAgentHooks).toSorted());
});
