import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, watch, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { createSandbox, jsonLines, type Sandbox } from "./spawn-cli.ts";

// Each case starts the program several times.
vi.setConfig({ testTimeout: 180_000 });

/** Waits until the sleeping command of the tool has said its process id. */
async function sleeperOf(sandbox: Sandbox): Promise<number> {
  const file = join(sandbox.project, "pid");
  const read = async () => Number((await readFile(file, "utf8").catch(() => "")).trim());
  const signal = AbortSignal.timeout(60_000);
  const changes = watch(sandbox.project, { signal });
  for (let pid = await read(); ; pid = await read()) {
    if (pid > 0) return pid;
    await changes[Symbol.asyncIterator]().next();
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** False also for a dead process that its new parent has not waited for yet. */
const isRunning = (pid: number): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
};

test.each([
  { signal: "SIGTERM", exitCode: 143 },
  { signal: "SIGINT", exitCode: 130 },
  { signal: "SIGHUP", exitCode: 129 },
] as const)(
  "B023, CL-14: $signal in a tool ends with $exitCode; prompt and call are on disk, the tool is gone, --continue works",
  async ({ signal, exitCode }) => {
    await using sandbox = await createSandbox();
    await using wire = await createWireServer({
      answers: [
        { content: [scriptedToolCall("bash", { command: "echo $$ > pid; exec sleep 60" })] },
        { content: [scriptedText("back again")] },
      ],
    });
    const args = ["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "-p"];
    const env = { COPPICE_API_KEY: "test-key" };
    const { child, ended } = sandbox.start([...args, "sleep a while"], { env });
    const sleeper = await sleeperOf(sandbox);
    child.kill(signal);
    expect(await ended).toMatchObject({
      exitCode,
      stdout: "",
      stderr: expect.stringMatching(/^coppice: stopped; go on with `coppice -c`\n$/m),
    });
    expect(isAlive(sleeper)).toBe(false);

    const [path = ""] = await sandbox.sessionFiles();
    const roles = jsonLines(await readFile(path, "utf8")).flatMap((entry) => {
      const message = entry.message as { role: string } | undefined;
      return message === undefined ? [] : [message.role];
    });
    expect(roles.filter((role) => role !== "system").slice(0, 2)).toEqual(["user", "assistant"]);

    const again = await sandbox.run([...args, "go on", "-c"], { env });
    expect(again).toMatchObject({ exitCode: 0, stdout: "back again\n" });
    expect(wire.rejections).toEqual([]);
  },
);

test("CL-10, CL-14: a second signal ends at once and takes a tool along that does not listen", async () => {
  await using sandbox = await createSandbox();
  const command = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > pid; exec sleep 60'; sleep 60";
  await using wire = await createWireServer({
    answers: [{ content: [scriptedToolCall("bash", { command })] }],
  });
  const args = ["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "-p", "sleep"];
  const { child, ended } = sandbox.start(args, { env: { COPPICE_API_KEY: "test-key" } });
  const sleeper = await sleeperOf(sandbox);
  child.kill("SIGINT");
  child.kill("SIGTERM");
  expect((await ended).exitCode).toBeGreaterThan(128);
  await expect.poll(() => isRunning(sleeper)).toBe(false);
});

test("a signal while the prompt is still being piped in ends at once and leaves no file", async () => {
  await using sandbox = await createSandbox();
  const { child, ended, seen } = sandbox.start(["--model", "demo", "-p", "hi"], { stdin: null });
  await seen("waiting for the end of standard input");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ exitCode: 143, stdout: "" });
  expect(await sandbox.sessionFiles()).toEqual([]);
});

test("CL-06: a reader that goes away ends the run in order with 141, and the session stays whole", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "big.txt"), "x");
  await using wire = await createWireServer({
    answers: [{ content: [scriptedText("y".repeat(2_000_000))] }],
  });
  const args = ["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "-p", "much"];
  const { child, ended } = sandbox.start(args, { env: { COPPICE_API_KEY: "test-key" } });
  child.stdout?.once("data", () => child.stdout?.destroy());
  expect((await ended).exitCode).toBe(141);
  const [path = ""] = await sandbox.sessionFiles();
  for (const line of (await readFile(path, "utf8")).trimEnd().split("\n")) JSON.parse(line);
});

test("CL-06: a reader that waits and then reads slowly gets every byte", async () => {
  await using sandbox = await createSandbox();
  const answer = "0123456789abcdef".repeat(131_072);
  await using wire = await createWireServer({ answers: [{ content: [scriptedText(answer)] }] });
  const args = ["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "-p", "much"];
  const { child, ended } = sandbox.start(args, { env: { COPPICE_API_KEY: "test-key" } });
  const { stdout } = child;
  // Nothing is read for a second, then a chunk at a time with a pause after each.
  stdout?.pause();
  const wait = (delayMs: number) => new Promise<void>((done) => setTimeout(done, delayMs));
  await wait(1_000);
  stdout?.on("data", () => {
    stdout.pause();
    void wait(2).then(() => stdout.resume());
  });
  stdout?.resume();
  const run = await ended;
  expect([run.exitCode, run.stderr, run.stdout.length]).toEqual([0, "", answer.length + 1]);
  expect(run.stdout === `${answer}\n`).toBe(true);
});

test("CL-10, CL-14: a second signal ends rpc mode at once and takes a tool along that does not listen", async () => {
  await using sandbox = await createSandbox();
  const command = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > pid; exec sleep 60'; sleep 60";
  await using wire = await createWireServer({
    answers: [{ content: [scriptedToolCall("bash", { command })] }],
  });
  const args = ["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "--mode", "rpc"];
  const { child, ended } = sandbox.start(args, { env: { COPPICE_API_KEY: "test-key" }, stdin: null });
  child.stdin?.write(`${JSON.stringify({ id: 1, type: "prompt", message: "sleep" })}\n`);
  const sleeper = await sleeperOf(sandbox);
  child.kill("SIGINT");
  child.kill("SIGTERM");
  expect((await ended).exitCode).toBeGreaterThan(128);
  await expect.poll(() => isRunning(sleeper)).toBe(false);
});

test.runIf(existsSync("/dev/full")).each([
  { name: "-p", words: ["--model", "demo", "-p", "hello"] },
  { name: "--mode json", words: ["--model", "demo", "--mode", "json", "hello"] },
  { name: "--list-models", words: ["--list-models", "demo"] },
  { name: "--version", words: ["--version"] },
  { name: "--help", words: ["--help"] },
  { name: "sessions --help", words: ["sessions", "--help"] },
  { name: "models", words: ["models"] },
  { name: "sessions list", words: ["sessions", "list"], first: ["--model", "demo", "-p", "hello"] },
])(
  "CL-06: $name into a full disk is no closed pipe: exit 1 and one line that says so",
  async ({ words, first }) => {
    await using sandbox = await createSandbox();
    if (first !== undefined) await sandbox.run(first);
    // The shell's own words after its script become the program.
    const run = await sandbox.run(words, { before: "exec > /dev/full" });
    expect(run).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(/^coppice: Standard output cannot be written: ENOSPC.*\n {2}\S.*\n$/m),
    });
  },
);

test.each(["--version", "--help"])(
  "CL-06: %s for a reader that went away ends without a word, with 141",
  async (word) => {
    await using sandbox = await createSandbox();
    // The only reader opens the pipe and leaves before the shell becomes the program.
    const before = "mkfifo pipe; (exec < pipe) & exec > pipe; wait";
    expect(await sandbox.run([word], { before })).toEqual({ exitCode: 141, stdout: "", stderr: "" });
  },
);

test("a directory that was deleted under the program is told in one line", async () => {
  await using sandbox = await createSandbox();
  const gone = join(sandbox.project, "gone");
  await mkdir(gone);
  // The shell deletes the directory that it is in and becomes the program.
  const run = await sandbox.run(["--model", "demo", "-p", "hi"], { cwd: gone, before: `rmdir "${gone}"` });
  expect(run).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      "coppice: The directory that this was started in is gone\n  Change to a directory that is there, and start again.\n",
  });
});
