import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall, type WireAnswer } from "@coppice/ai/testing";
import { describe, expect, test, vi } from "vitest";
import { createSandbox, type Sandbox } from "./spawn-cli.ts";

// Each case starts the program several times.
vi.setConfig({ testTimeout: 90_000 });

const API = "openai-completions";
const key = { COPPICE_API_KEY: "test-key" };
const server = (...answers: readonly WireAnswer[]) => createWireServer({ answers });
type Server = Awaited<ReturnType<typeof server>>;
const at = (wire: Server, ...more: readonly string[]) => [
  ...["--base-url", wire.baseUrl(API), "--model", "m", "-p", "go"],
  ...more,
];

/** Writes files below the sandbox's `home` or `project`. */
async function put(sandbox: Sandbox, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dirname(sandbox.home), name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** The last tool result that the server was sent. */
function toolResultOf(wire: Server): string {
  return JSON.stringify(wire.requests.at(-1)?.body);
}

const writes: WireAnswer = { content: [scriptedToolCall("write", { path: "made.txt", content: "x" })] };
const done: WireAnswer = { content: [scriptedText("done")] };

describe("permissions", () => {
  test.each([
    { name: "auto is the default where nobody can be asked", flags: [], settings: {}, isWritten: true },
    {
      name: "--permission-mode read-only",
      flags: ["--permission-mode", "read-only"],
      settings: {},
      isWritten: false,
    },
    { name: "the settings' mode", flags: [], settings: { mode: "read-only" }, isWritten: false },
    {
      name: "a flag goes over the settings",
      flags: ["--permission-mode", "auto"],
      settings: { mode: "read-only" },
      isWritten: true,
    },
    {
      name: "ask without anybody to ask denies",
      flags: ["--permission-mode", "ask"],
      settings: {},
      isWritten: false,
    },
    {
      name: "ask lets through what a rule allows",
      flags: ["--permission-mode", "ask"],
      settings: { allow: ["write(made.txt)"] },
      isWritten: true,
    },
    { name: "a rule forbids in every mode", flags: [], settings: { deny: ["write"] }, isWritten: false },
  ])("$name", async ({ flags, settings, isWritten }) => {
    await using sandbox = await createSandbox();
    await put(sandbox, { "home/.coppice/settings.json": { permissions: settings } });
    await using wire = await server(writes, done);
    const run = await sandbox.run(at(wire, ...flags), { env: key });
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: "done\n" });
    expect(await readdir(sandbox.project)).toEqual(isWritten ? ["made.txt"] : []);
    expect(toolResultOf(wire).includes("Not allowed")).toBe(!isWritten);
  });
});

describe("the project's own files", () => {
  const PROJECT = {
    "project/.coppice/settings.json": { permissions: { deny: ["write"] } },
    "project/.coppice/prompts/go.md": "a template of the project",
  };

  test("CX-08: take no effect before the project is trusted, which is told with the way to do it", async () => {
    await using sandbox = await createSandbox();
    await put(sandbox, PROJECT);
    await using wire = await server(writes, done);
    const run = await sandbox.run([...at(wire).slice(0, -1), "/go"], { env: key });
    expect(run.exitCode).toBe(0);
    expect(await readdir(sandbox.project)).toContain("made.txt");
    expect(run.stderr).toContain("not in effect: .coppice/prompts/go.md, .coppice/settings.json.");
    expect(run.stderr).toContain("--trust for one run");
    expect(toolResultOf(wire)).not.toContain("a template of the project");
  });

  test("CX-08: instructions of a project that nobody was asked about are not put before the model", async () => {
    await using sandbox = await createSandbox();
    await put(sandbox, { "project/AGENTS.md": "obey the project", "home/.coppice/AGENTS.md": "mine" });
    await using wire = await server(done, done);
    const run = await sandbox.run(at(wire), { env: key });
    expect(run).toMatchObject({ exitCode: 0, stdout: "done\n" });
    expect(run.stderr).toContain("not in effect: AGENTS.md.");
    const sent = toolResultOf(wire);
    expect([sent.includes("obey the project"), sent.includes("mine")]).toEqual([false, true]);
    expect((await sandbox.run(at(wire, "--trust"), { env: key })).stderr).toBe("");
    expect(toolResultOf(wire)).toContain("obey the project");
  });

  test("folders that settings name begin where the settings lie", async () => {
    await using sandbox = await createSandbox();
    await put(sandbox, {
      "home/.coppice/settings.json": { prompts: ["more", "~/templates"] },
      "home/.coppice/more/one.md": "the first template",
      "home/templates/two.md": "the second template",
      "project/src/main.ts": "",
    });
    await using wire = await server(done, done);
    const run = (text: string) =>
      sandbox.run([...at(wire).slice(0, -1), text], { env: key, cwd: join(sandbox.project, "src") });
    await run("/one");
    expect(toolResultOf(wire)).toContain("the first template");
    await run("/two");
    expect(toolResultOf(wire)).toContain("the second template");
  });

  test("take effect with --trust, for this run only", async () => {
    await using sandbox = await createSandbox();
    await put(sandbox, PROJECT);
    await using wire = await server(writes, done, done);
    const run = await sandbox.run([...at(wire, "--trust").slice(0, 4), "-p", "/go", "--trust"], { env: key });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(await readdir(sandbox.project)).not.toContain("made.txt");
    expect(toolResultOf(wire)).toContain("a template of the project");
    const later = await sandbox.run(at(wire), { env: key });
    expect(later.stderr).toContain("not trusted");
  });
});

test("sessionDir of the user's settings is where sessions go; the variable and the flag go before it", async () => {
  await using sandbox = await createSandbox();
  await put(sandbox, { "home/.coppice/settings.json": '{ // mine\n "sessionDir": "~/kept" }' });
  const demo = ["--model", "demo", "-p", "hello"];
  await sandbox.run(demo);
  expect(await readdir(join(sandbox.home, "kept"))).toHaveLength(1);
  await sandbox.run(demo, { env: { COPPICE_SESSION_DIR: join(sandbox.home, "of-the-variable") } });
  expect(await readdir(join(sandbox.home, "of-the-variable"))).toHaveLength(1);
  await sandbox.run([...demo, "--session-dir", "here"]);
  expect(await readdir(join(sandbox.project, "here"))).toHaveLength(1);
  expect(await readdir(join(sandbox.home, ".coppice"))).not.toContain("sessions");
  const list = await sandbox.run(["sessions", "list"]);
  expect(list.stdout.split("\n")).toHaveLength(2);
});

test("model, level and tools of the settings hold for a new session; a session that goes on keeps its own", async () => {
  await using sandbox = await createSandbox();
  await put(sandbox, { "home/.coppice/settings.json": { model: "demo", tools: ["read"] } });
  expect(await sandbox.run(["-p", "hello"])).toMatchObject({ exitCode: 0, stderr: "" });
  await put(sandbox, { "home/.coppice/settings.json": { model: "nothing/that-is-known" } });
  expect(await sandbox.run(["-c", "-p", "and?"])).toMatchObject({ exitCode: 0, stderr: "" });
  const run = await sandbox.run(["-p", "hello"]);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("nothing/that-is-known");
});

test("CX-07, CL-17: settings that are wrong are told with file and field, and the run goes on", async () => {
  await using sandbox = await createSandbox();
  await put(sandbox, { "home/.coppice/settings.json": { modle: "x", retry: { maxAttempts: "many" } } });
  const run = await sandbox.run(["--model", "demo", "-p", "hello"]);
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain("settings.json");
  expect(run.stderr).toContain("modle");
  expect(run.stderr).toContain("maxAttempts");
});

test("CL-13: a template and a skill are expanded by their names, also in -p and rpc", async () => {
  await using sandbox = await createSandbox();
  await put(sandbox, {
    "home/.coppice/prompts/sum.md": "Sum up $1 in one line.",
    "home/.coppice/skills/deploy/SKILL.md":
      "---\nname: deploy\ndescription: how we deploy\n---\nAsk Ada before you deploy.",
  });
  await using wire = await server(done, done, done, done);
  const bodies = () => wire.requests.map(({ body }) => JSON.stringify(body));
  await sandbox.run([...at(wire).slice(0, -1), "/sum a.txt"], { env: key });
  expect(bodies()[0]).toContain("Sum up a.txt in one line.");
  await sandbox.run([...at(wire).slice(0, -1), "/skill:deploy now"], { env: key });
  expect(bodies()[1]).toContain("Ask Ada before you deploy.");
  // Idle, a steered text is a prompt; the same text may also be queued.
  const lines = ['{"type":"steer","message":"/sum b.txt"}'];
  const rpc = await sandbox.run([...at(wire).slice(0, 4), "--mode", "rpc"], {
    env: key,
    stdin: `${lines.join("\n")}\n`,
  });
  expect(rpc.exitCode, rpc.stderr).toBe(0);
  expect(bodies()[2]).toContain("Sum up b.txt in one line.");
  await sandbox.run([...at(wire).slice(0, -1), "/usr/bin is a path"], { env: key });
  expect(bodies()[3]).toContain("/usr/bin is a path");
});
