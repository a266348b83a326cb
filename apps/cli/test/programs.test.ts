import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall, type WireAnswer } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { createSandbox, jsonLines, type Sandbox } from "./spawn-cli.ts";

// Each case starts the program.
vi.setConfig({ testTimeout: 90_000 });

/** Gives the user an extension. */
async function extend(sandbox: Sandbox, name: string, code: string): Promise<void> {
  const folder = join(sandbox.home, ".coppice/extensions");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.mjs`), code);
}

const NOISY = `export default {
  name: "noisy",
  setup(api) {
    console.log("stray on load");
    api.on("agent_start", () => { process.stdout.write("stray in a run\\n"); process.emitWarning("a warning"); });
  },
};`;

test("CL-05, B211: what an extension prints goes to standard error; every line of json and rpc mode parses", async () => {
  await using sandbox = await createSandbox();
  await extend(sandbox, "noisy", NOISY);
  const prompt = `${JSON.stringify({ id: 1, type: "prompt", message: "hello" })}\n`;
  for (const [mode, stdin] of [
    ["json", undefined],
    ["rpc", prompt],
  ] as const) {
    const words = mode === "json" ? ["-p", "hello"] : [];
    const run = await sandbox.run(["--model", "demo", "--mode", mode, ...words], {
      ...(stdin === undefined ? {} : { stdin }),
    });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(jsonLines(run.stdout).at(-1)).toMatchObject({ type: "agent_settled" });
    expect(run.stdout).not.toContain("stray");
    expect(run.stderr).toContain("stray on load");
    expect(run.stderr).toContain("stray in a run");
  }
  const text = await sandbox.run(["--model", "demo", "-p", "hello"]);
  expect(text.stdout).not.toContain("stray");
});

const HOLDING = `export default {
  name: "holding",
  setup(api) {
    const timer = setInterval(() => {}, 1_000);
    api.on("session_shutdown", () => { console.error("told to stop"); clearInterval(timer); });
    setInterval(() => {}, 1_000);
  },
};`;

/** Far more than a second on any machine, and far less than what the timers would hold the program. */
const MOST_MS_AFTER_THE_ANSWER = 20_000;

test("CL-07, PF-07, B214: a run ends soon after its last byte whatever timers an extension holds, and tells it to stop before", async () => {
  await using sandbox = await createSandbox();
  await extend(sandbox, "holding", HOLDING);
  const { child, ended } = sandbox.start(["--model", "demo", "-p", "hello"]);
  let lastByteMs = Number.POSITIVE_INFINITY;
  child.stdout?.on("data", () => {
    lastByteMs = performance.now();
  });
  const run = await ended;
  expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("told to stop") });
  expect(performance.now() - lastByteMs).toBeLessThan(MOST_MS_AFTER_THE_ANSWER);
});

test("a command of an extension is called by its name, in -p too; what it says is the answer", async () => {
  await using sandbox = await createSandbox();
  await extend(
    sandbox,
    "greeting",
    `export default { name: "greeting", setup(api) {
      api.registerCommand("greet", { description: "greets", handler: (args) => "Hello, " + args + "." });
    } };`,
  );
  const run = await sandbox.run(["--model", "demo", "-p", "/greet Ada"]);
  expect(run).toMatchObject({ exitCode: 0, stdout: "Hello, Ada.\n" });
});

const IMAGE = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};

test("B218: an image that is steered into a run reaches the model", async () => {
  await using sandbox = await createSandbox();
  const answers: readonly WireAnswer[] = [
    { content: [scriptedToolCall("bash", { command: "until [ -e go ]; do sleep 0.05; done" })] },
    { content: [scriptedText("seen")] },
    { content: [scriptedText("seen")] },
  ];
  await using wire = await createWireServer({ answers });
  await mkdir(join(sandbox.home, ".coppice"), { recursive: true });
  const models = [{ id: "m", images: true }];
  const providers = { w: { baseUrl: wire.baseUrl("openai-completions"), apiKey: wire.apiKey, models } };
  await writeFile(join(sandbox.home, ".coppice/models.json"), JSON.stringify({ providers }));
  const program = sandbox.start(["--model", "w/m", "--mode", "rpc"], { stdin: null });
  const send = (command: object) => program.child.stdin?.write(`${JSON.stringify(command)}\n`);
  const seen = (text: string) =>
    new Promise<void>((resolve) => {
      program.child.stdout?.on("data", (chunk: string) => chunk.includes(text) && resolve());
    });
  const running = seen("tool_execution_start");
  send({ type: "prompt", message: "wait" });
  await running;
  const steered = seen('"command":"steer"');
  send({ type: "steer", message: "look", images: [IMAGE] });
  await steered;
  await writeFile(join(sandbox.project, "go"), "");
  program.child.stdin?.end();
  const run = await program.ended;
  expect(run.exitCode, run.stderr).toBe(0);
  expect(JSON.stringify(wire.requests.at(-1)?.body)).toContain(IMAGE.data);
});
