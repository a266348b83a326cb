import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { createSandbox } from "./spawn-cli.ts";

// Each case starts the program and a server several times.
vi.setConfig({ testTimeout: 120_000 });

const SERVER = join(import.meta.dirname, "../../../packages/coding-agent/test/mcp/stdio-server.ts");

test("mcp add, list, test and remove keep a private file, and no secret is shown or written out", async () => {
  await using sandbox = await createSandbox();
  const mcp = (...args: readonly string[]) => sandbox.run(["mcp", ...args], { env: { TOKEN: "s3cret" } });
  expect(await mcp()).toMatchObject({ exitCode: 0, stdout: "" });
  expect(await mcp("add", "--env", "TOKEN=$TOKEN", "sample", "--", process.execPath, SERVER)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("sample is added to "),
  });
  expect(
    await mcp("add", "--header", "Authorization: Bearer $TOKEN", "web", "https://example.org/mcp"),
  ).toMatchObject({
    exitCode: 0,
  });
  const file = join(sandbox.home, ".coppice/mcp.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    mcpServers: {
      sample: { command: process.execPath, args: [SERVER], env: { TOKEN: "$TOKEN" } },
      web: { type: "http", url: "https://example.org/mcp", headers: { Authorization: "Bearer $TOKEN" } },
    },
  });
  const list = await mcp("list");
  expect(list.stdout).toMatch(/^sample +user +.+stdio-server\.ts\nweb +user +https:\/\/example\.org\/mcp\n$/);
  const tested = await mcp("test", "sample");
  expect(tested).toMatchObject({ exitCode: 0, stderr: "" });
  expect(tested.stdout).toMatch(/^sample: ready, 15 tools: .*echo/);
  expect(JSON.stringify([list, tested])).not.toContain("s3cret");
  expect(await mcp("remove", "web")).toMatchObject({ exitCode: 0, stdout: "web is removed.\n" });
  expect(await mcp("remove", "web")).toMatchObject({ exitCode: 2 });
});

test.each([
  { name: "a name alone", args: ["add", "x"], says: "Use `coppice mcp add" },
  { name: "an unknown verb", args: ["lst"], says: "Did you mean `coppice mcp list`?" },
  {
    name: "a header for a command",
    args: ["add", "--header", "A: b", "x", "y"],
    says: "A command takes --env only",
  },
  {
    name: "a variable for an address",
    args: ["add", "--env", "A=b", "x", "http://y"],
    says: "--header only",
  },
  { name: "a pair that is none", args: ["add", "--env", "A", "x", "y"], says: "NAME=VALUE" },
  { name: "a server that is not there", args: ["test", "x"], says: 'There is no server "x"' },
])("mcp refuses $name", async ({ args, says }) => {
  await using sandbox = await createSandbox();
  const run = await sandbox.run(["mcp", ...args]);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(says);
});

test("mcp test says what is wrong with a server, in words that do nothing to the terminal", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(["mcp", "add", "dies", "--", process.execPath, SERVER, "dies"]);
  const run = await sandbox.run(["mcp", "test"]);
  expect(run).toMatchObject({ exitCode: 1, stdout: "" });
  expect(run.stderr).toMatch(/^coppice: dies: .*licence/);
  for (const control of ["\u001b", "\u0007"]) expect(run.stderr).not.toContain(control);
});

test("a run calls the tools of a server; those of a project only once it is trusted", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({
    answers: [
      { content: [scriptedToolCall("mcp__sample__echo", { text: "from the server" })] },
      { content: [scriptedText("done")] },
      { content: [scriptedText("no tools")] },
    ],
  });
  await mkdir(join(sandbox.project, ".coppice"));
  const servers = { sample: { command: process.execPath, args: [SERVER], required: true } };
  await writeFile(join(sandbox.project, ".coppice/mcp.json"), JSON.stringify({ mcpServers: servers }));
  const server = ["--base-url", wire.baseUrl("openai-completions"), "--model", "x"];
  const run = (...args: readonly string[]) =>
    sandbox.run([...server, ...args, "-p", "go"], { env: { COPPICE_API_KEY: wire.apiKey } });
  const trusted = await run("--trust");
  expect(trusted).toMatchObject({ exitCode: 0, stdout: "done\n" });
  expect(JSON.stringify(wire.requests[1])).toContain("from the server");
  const untrusted = await run();
  expect(untrusted).toMatchObject({ exitCode: 0, stdout: "no tools\n" });
  expect(JSON.stringify(wire.requests[2])).not.toContain("mcp__sample");
  expect(untrusted.stderr).toContain(".coppice/mcp.json");
});
