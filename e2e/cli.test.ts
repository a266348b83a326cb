import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, type WireServer } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { createPlayground, jsonLines, type Playground, runCoppice, sessionFiles } from "./spawn-coppice.ts";

// The program is started from source, on a machine that does other things.
vi.setConfig({ testTimeout: 120_000 });

const demo = (prompt: string, ...more: readonly string[]) => ["--model", "demo", "-p", prompt, ...more];

async function createProject(): Promise<Playground> {
  const playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  return playground;
}

async function idOf(path: string): Promise<string> {
  return String(jsonLines(await readFile(path, "utf8"))[0]?.id);
}

async function writeModels({ home }: Playground, providers: object): Promise<void> {
  await mkdir(join(home, ".coppice"), { recursive: true });
  await writeFile(join(home, ".coppice/models.json"), JSON.stringify({ providers }));
}

/** A server that allows as much output as the models of the catalogue have. */
const server = (...texts: readonly string[]): Promise<WireServer> =>
  createWireServer({ answers: texts.map((text) => scriptedText(text)), maxOutputTokens: 128_000 });

test("sessions list names the sessions of the directory, sessions show prints one as the model sees it", async () => {
  await using playground = await createProject();
  await runCoppice({ playground, args: demo("hello there") });
  const [path = ""] = await sessionFiles(playground);
  const id = await idOf(path);

  const list = await runCoppice({ playground, args: ["sessions", "list"] });
  expect(list).toMatchObject({ exitCode: 0, stderr: "" });
  expect(list.stdout).toMatch(new RegExp(`^${id}  .*hello there\\n$`));
  const show = await runCoppice({ playground, args: ["sessions", "show", id] });
  expect(show).toMatchObject({ exitCode: 0, stderr: "" });
  expect(show.stdout).toMatch(
    new RegExp(`^# ${id} [\\s\\S]*## user\\nhello there\\n[\\s\\S]*## coppice/demo\\n`),
  );
});

test("--no-session leaves no file, --session goes on with the session that is named", async () => {
  await using playground = await createProject();
  expect(await runCoppice({ playground, args: demo("hello", "--no-session") })).toMatchObject({
    exitCode: 0,
  });
  expect(await sessionFiles(playground)).toEqual([]);

  await runCoppice({ playground, args: demo("the first") });
  const [first = ""] = await sessionFiles(playground);
  await runCoppice({ playground, args: demo("the second") });
  const run = await runCoppice({
    playground,
    args: demo("what did I ask so far?", "--session", await idOf(first)),
  });
  expect(run.stdout).toContain("the first");
  expect(run.stdout).not.toContain("the second");
  expect(await sessionFiles(playground)).toHaveLength(2);
});

test("a key from a variable that models.json names reaches the server, and a vendor's key does not", async () => {
  await using playground = await createProject();
  await using wire = await server("with the key");
  const provider = {
    baseUrl: wire.baseUrl("openai-completions"),
    apiKey: "$TEAM_KEY",
    models: [{ id: "x" }],
  };
  await writeModels(playground, { team: provider });
  const env = { TEAM_KEY: wire.apiKey, OPENAI_API_KEY: "sk-of-the-vendor" };
  const run = await runCoppice({ playground, args: ["--model", "team/x", "-p", "hi"], env });
  expect(run).toMatchObject({ exitCode: 0, stdout: "with the key\n", stderr: "" });
  expect(JSON.stringify(wire.requests)).not.toContain("sk-of-the-vendor");
});

test("the key of a built-in provider goes to an address of models.json only where the file says so", async () => {
  await using playground = await createProject();
  await using wire = await server("through the proxy");
  const baseUrl = wire.baseUrl("anthropic-messages");
  const args = ["--model", "anthropic/claude-sonnet-5-5", "-p", "hi"];
  const env = { ANTHROPIC_API_KEY: wire.apiKey };
  await writeModels(playground, { anthropic: { baseUrl } });
  expect(await runCoppice({ playground, args, env })).toMatchObject({ exitCode: 3, stdout: "" });
  await writeModels(playground, { anthropic: { baseUrl, apiKey: "$ANTHROPIC_API_KEY" } });
  const run = await runCoppice({ playground, args, env });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: "through the proxy\n" });
});

test("--mode json writes one object a line: the header, the events in order, the end", async () => {
  await using playground = await createProject();
  const run = await runCoppice({ playground, args: demo("hello", "--mode", "json") });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  const types = jsonLines(run.stdout).map((event) => String(event.type));
  expect([types[0], types.at(-1)]).toEqual(["session", "agent_settled"]);
  const once = types.filter((type, at) => types.indexOf(type) === at);
  const order = ["agent_start", "turn_start", "message_start", "message_update", "turn_end", "agent_end"];
  expect(once.filter((type) => order.includes(type))).toEqual(order);
});
