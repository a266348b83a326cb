import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createWireServer,
  scriptedText,
  scriptedToolCall,
  type WireAnswer,
  wireFault,
} from "@coppice/ai/testing";
import { describe, expect, test, vi } from "vitest";
import { createSandbox, jsonLines, type Sandbox } from "./spawn-cli.ts";

// Each case starts the program several times.
vi.setConfig({ testTimeout: 90_000 });

const API = "openai-completions";
const server = (...answers: readonly WireAnswer[]) => createWireServer({ answers });
const at = (wire: Awaited<ReturnType<typeof server>>, ...more: readonly string[]) => [
  ...["--base-url", wire.baseUrl(API), "--model", "m", "-p"],
  ...more,
];

async function writeModelsFile(sandbox: Sandbox, text: string): Promise<string> {
  const file = join(sandbox.home, ".coppice/models.json");
  await mkdir(join(sandbox.home, ".coppice"));
  await writeFile(file, text);
  return file;
}

const key = { COPPICE_API_KEY: "test-key" };

describe.each(["openai-completions", "anthropic-messages"])("over %s", (api) => {
  test("the answer is on stdout, the tool line on stderr, and nothing was sent that the server refuses", async () => {
    await using sandbox = await createSandbox();
    await writeFile(join(sandbox.project, "a.txt"), "forty-two\n");
    await using wire = await server(
      { content: [scriptedText("Let me look."), scriptedToolCall("read", { path: "a.txt" })] },
      { content: [scriptedText("It says 42.")] },
    );
    const args = [
      "--base-url",
      wire.baseUrl(api),
      "--api",
      api,
      "--model",
      "m",
      "-p",
      "what does a.txt say?",
    ];
    const run = await sandbox.run(args, { env: key });
    expect(run).toEqual({
      exitCode: 0,
      stdout: "Let me look.\n\nIt says 42.\n",
      stderr: expect.stringMatching(/^✓ read a\.txt \(ok, \d+ ms\)\n$/),
    });
    expect(wire.rejections).toEqual([]);
    expect(JSON.stringify(wire.requests[1]?.body)).toContain("forty-two");
  });
});

test("B212: piped text and the prompt both reach the model", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("ok")] });
  const run = await sandbox.run(at(wire, "sum"), { env: key, stdin: "1\n2\n" });
  expect(run).toEqual({ exitCode: 0, stdout: "ok\n", stderr: "" });
  expect(JSON.stringify(wire.requests[0]?.body)).toContain(
    JSON.stringify("sum\n\n<stdin>\n1\n2\n</stdin>").slice(1, -1),
  );
});

test("B248: neither the answer nor a command can drive the terminal", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server(
    { content: [scriptedToolCall("bash", { command: "printf x\u001b]52;c;eA==\u0007" })] },
    { content: [scriptedText("a\u001b]52;c;eA==\u0007b")] },
  );
  const run = await sandbox.run(at(wire, "hi"), { env: key });
  expect(run.stdout).toBe("a␛]52;c;eA==␇b\n");
  expect(run.stderr).toMatch(/^✓ bash printf x \(exit 0, \d+ ms\)\n$/);
});

test("B248: JSON mode escapes what a terminal would act on", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("a\u001b]52;c;eA==\u0007\u009bb\u2028")] });
  const run = await sandbox.run(["--mode", "json", ...at(wire, "hi")], { env: key });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not come out.
  expect(run.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
  expect(run.stdout).toContain("a\\u001b]52;c;eA==\\u0007\\u009bb\\u2028");
});

test.each([
  {
    name: "a refused key",
    answers: [wireFault({ kind: "status", status: 401 })],
    exitCode: 3,
    stderr: /^coppice: server\/m: .+\n {2}Set COPPICE_API_KEY to a key that this server accepts\.\n$/,
  },
  {
    name: "a long wait",
    answers: [wireFault({ kind: "rate_limit", retryAfter: "7200" })],
    exitCode: 4,
    stderr: /^coppice: server\/m: .+\n {2}The server asks to wait 120 min 0 s; try again then\.\n$/,
  },
  {
    name: "no credit",
    answers: [wireFault({ kind: "quota" })],
    exitCode: 4,
    stderr: /^coppice: server\/m: /,
  },
  {
    name: "a request that the server refuses",
    answers: [wireFault({ kind: "status", status: 400, message: "no such thing" })],
    exitCode: 1,
    stderr: /^coppice: server\/m: .*no such thing/,
  },
])(
  "B216: $name is told on stderr with advice and exit code $exitCode",
  async ({ answers, exitCode, stderr }) => {
    await using sandbox = await createSandbox();
    await using wire = await server(...answers);
    const run = await sandbox.run(at(wire, "hi"), { env: key });
    expect(run).toEqual({ exitCode, stdout: "", stderr: expect.stringMatching(stderr) });
  },
);

test("a piped answer holds no text of an attempt that broke off", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server(
    { content: [scriptedText("It says forty-two.")], fault: { kind: "reset", afterDeltas: 1 } },
    { content: [scriptedText("It says 42.")] },
  );
  const run = await sandbox.run(at(wire, "hi"), { env: key });
  expect(run).toEqual({
    exitCode: 0,
    stdout: "It says 42.\n",
    stderr: expect.stringMatching(/^the answer broke off and starts again: retry 1\/3 in /),
  });
});

test("a failed tool says why in its line", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server(
    { content: [scriptedToolCall("read", { path: "nope.txt" })] },
    { content: [scriptedText("ok")] },
  );
  const run = await sandbox.run(at(wire, "hi"), { env: key });
  expect(run.stderr).toMatch(/^✗ read nope\.txt \(error, \d+ ms\): .*nope\.txt.*\n$/);
});

test("a port that no web client opens is named as what is wrong", async () => {
  await using sandbox = await createSandbox();
  const run = await sandbox.run(["--base-url", "http://127.0.0.1:6000/v1", "--model", "m", "-p", "hi"]);
  expect(run).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(/127\.0\.0\.1:6000: bad port\n {2}Web clients refuse this port/),
  });
});

test("CL-04: an answer that was cut off is on stdout, the reason on stderr, and the exit code says so", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("half of")], stopReason: "length" });
  const run = await sandbox.run(at(wire, "hi"), { env: key });
  expect(run.stdout).toBe("half of\n");
  expect(run.stderr).toContain("output limit");
  expect(run.exitCode).toBe(4);
});

test("B216, CL-15: without any key print mode names the three ways and ends with 3, and leaves no file", async () => {
  await using sandbox = await createSandbox();
  const run = await sandbox.run(["-p", "hi"]);
  expect(run).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: expect.stringMatching(
      /no key[\s\S]*1\. .*ANTHROPIC_API_KEY[\s\S]*2\. .*--base-url[\s\S]*3\. .*--model demo/,
    ),
  });
  expect(await sandbox.sessionFiles()).toEqual([]);
});

test("COPPICE_DEBUG=1 shows the stack of an error, nothing else does", async () => {
  await using sandbox = await createSandbox();
  expect((await sandbox.run(["-p", "hi"])).stderr).not.toMatch(/^\s+at /m);
  expect((await sandbox.run(["-p", "hi"], { env: { COPPICE_DEBUG: "1" } })).stderr).toMatch(/^\s+at /m);
});

test("CL-12: a prompt may come from the pipe alone, and none at all is a usage error", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("ok")] });
  expect(await sandbox.run(at(wire), { env: key, stdin: "just this" })).toMatchObject({ exitCode: 0 });
  expect(await sandbox.run(["-p", "--model", "demo"])).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("There is no prompt"),
  });
});

test("B253: a vendor's key from the environment never goes to another server", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("ok")] });
  const run = await sandbox.run(at(wire, "hi"), {
    env: { ...key, OPENAI_API_KEY: "sk-vendor", ANTHROPIC_AUTH_TOKEN: "vendor", OPENAI_ORG_ID: "org-vendor" },
  });
  expect(run.exitCode).toBe(0);
  expect(JSON.stringify(wire.requests)).not.toContain("vendor");
});

test("B251: a command that the model runs does not see the keys", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server(
    { content: [scriptedToolCall("bash", { command: "env" })] },
    { content: [scriptedText("ok")] },
  );
  const env = { ...key, ANTHROPIC_API_KEY: "sk-secret", HF_TOKEN: "hf-secret", KEPT: "kept" };
  await sandbox.run(at(wire, "hi"), { env });
  const body = JSON.stringify(wire.requests[1]?.body);
  expect(body).toContain("KEPT=kept");
  expect(body).not.toMatch(/secret|test-key/);
});

test("CL-16: with COPPICE_HOME the home folder stays untouched", async () => {
  await using sandbox = await createSandbox();
  const home = join(sandbox.project, "elsewhere");
  const run = await sandbox.run(["--model", "demo", "-p", "hello"], { env: { COPPICE_HOME: home } });
  expect(run.exitCode).toBe(0);
  expect(await readdir(sandbox.home)).toEqual([]);
  expect((await sandbox.run(["sessions", "list"], { env: { COPPICE_HOME: home } })).stdout).toContain(
    "hello",
  );
});

test("CL-16: without it, one folder of the home folder is written to", async () => {
  await using sandbox = await createSandbox();
  expect((await sandbox.run(["--model", "demo", "-p", "hello"])).exitCode).toBe(0);
  expect(await readdir(sandbox.home)).toEqual([".coppice"]);
});

test.each(["settings.json", "models.json", "auth.json", "mcp.json", "trust.json"])(
  "CL-17: %s that is no JSON is named with its place, and no stack is shown",
  async (name) => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, ".coppice", name);
    await mkdir(join(sandbox.home, ".coppice"));
    await writeFile(file, '{\n  "a": 1,\n  oops\n}');
    const run = await sandbox.run(["--model", "demo", "-p", "hello"]);
    expect([run.exitCode, run.stdout === ""], run.stderr).toBeOneOf([
      [0, false],
      [2, true],
    ]);
    expect(run.stderr).toContain(file);
    expect(run.stderr).not.toMatch(/^\s+at /m);
    expect(await readFile(file, "utf8")).toContain("oops");
  },
);

test("CL-17: a broken models.json is named, and what does not need it works", async () => {
  await using sandbox = await createSandbox();
  const file = await writeModelsFile(sandbox, '{"providers": {"local": {"models": [{"id": "x"}]}}}');
  const message = `coppice: ${file}: providers.local.baseUrl must be an http or https address, but is missing\n`;

  const demo = await sandbox.run(["--model", "demo", "-p", "hello"]);
  expect(demo).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(message) });
  const listed = await sandbox.run(["--list-models", "demo"]);
  expect(listed).toMatchObject({
    exitCode: 0,
    stderr: message,
    stdout: expect.stringContaining("coppice/demo"),
  });
  const asked = await sandbox.run(["--model", "local/x", "-p", "hello"]);
  expect(asked).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(message) });
});

test("a server of models.json is asked with its own key, and a key that is not set is named", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("ok")] });
  const provider = { baseUrl: wire.baseUrl(API), apiKey: "$LOCAL_KEY", models: [{ id: "x" }] };
  await writeModelsFile(sandbox, JSON.stringify({ providers: { local: provider } }));

  expect(await sandbox.run(["--model", "local/x", "-p", "hi"])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("takes the key of local from $LOCAL_KEY, which is not set"),
  });
  expect(await sandbox.run(["-p", "hi"], { env: { LOCAL_KEY: "test-key" } })).toEqual({
    exitCode: 0,
    stdout: "ok\n",
    stderr: "",
  });
});

test("B211, CL-11: JSON mode writes protocol lines only, the header first, bytes in proportion to the answer", async () => {
  await using sandbox = await createSandbox();
  const answer = "word ".repeat(20_000);
  await using wire = await server({ content: [scriptedText(answer)] });
  const run = await sandbox.run(["--mode", "json", ...at(wire, "hi")], { env: key });
  const [header, ...events] = jsonLines(run.stdout);
  expect(header).toMatchObject({ type: "session", version: 3, cwd: sandbox.project });
  expect(events.at(-1)).toMatchObject({ type: "agent_settled" });
  const deltas = events.flatMap((event) => {
    const inner = event.event as { type?: string; delta?: string } | undefined;
    return inner?.type === "text_delta" ? [inner.delta] : [];
  });
  expect(deltas.join("")).toBe(answer);
  expect(run.stdout.length).toBeLessThan(answer.length * 12);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
});

test("--name names the session, --tools narrows what the model may call", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("ok")] });
  await sandbox.run([...at(wire, "hi"), "--name", "my task", "--tools", "read, ls"], { env: key });
  const body = wire.requests[0]?.body as { tools: { function: { name: string } }[] };
  expect(body.tools.map((tool) => tool.function.name).sort()).toEqual(["ls", "read"]);
  expect((await sandbox.run(["sessions", "list"])).stdout).toContain("my task");
  const [path = ""] = await sandbox.sessionFiles();
  expect(await readFile(path, "utf8")).toContain('"name":"my task"');

  const unknown = await sandbox.run([...at(wire, "hi"), "--tools", "raed"], { env: key });
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("raed") });
});

test("--output-format json prints one object: answer, usage, cost, session, and why the run ended", async () => {
  await using sandbox = await createSandbox();
  await using wire = await server({ content: [scriptedText("ok")] });
  await writeFile(join(sandbox.project, "notes.txt"), "remember the milk\n");
  const run = await sandbox.run(at(wire, "what is in", "@notes.txt", "--output-format", "json"), {
    env: key,
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  const [path] = await sandbox.sessionFiles();
  expect(JSON.parse(run.stdout)).toMatchObject({
    type: "result",
    answer: "ok",
    exitCode: 0,
    exitReason: "stop",
    model: "server/m",
    sessionPath: path,
    turns: 1,
    costUsd: 0,
  });
  expect(JSON.stringify(wire.requests[0]?.body)).toContain("remember the milk");

  const failed = await sandbox.run(["-p", "hi", "--output-format", "json"]);
  expect(failed.exitCode).toBe(3);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    answer: "",
    exitCode: 3,
    exitReason: "not_asked",
    error: { message: "No model can be used: there is no key and no server" },
  });
});
