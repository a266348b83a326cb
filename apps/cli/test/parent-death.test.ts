import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall, type WireAnswer } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { createSandbox, jsonLines, type Sandbox } from "./spawn-cli.ts";

// Each case starts a program that starts the program.
vi.setConfig({ testTimeout: 180_000 });

const MAIN = join(import.meta.dirname, "../src/main.ts");

/** Starts what its arguments say after the line for its input; passes the output on. */
const PARENT = `
import { spawn } from "node:child_process";
const [line, ...words] = process.argv.slice(2);
const child = spawn(process.execPath, ["--conditions=@coppice/source", ...words], {
  stdio: ["pipe", "pipe", "inherit"],
});
child.stdout.pipe(process.stdout);
if (line === "") child.stdin.end();
else child.stdin.write(line + "\\n");
`;

/** The program under a parent of its own. `ended`: nobody holds the standard error that both share. */
async function startUnderParent(sandbox: Sandbox, line: string, args: readonly string[]) {
  const main = join(sandbox.home, "parent.mjs");
  await writeFile(main, PARENT);
  const { child, ended } = sandbox.start([line, MAIN, ...args], {
    main,
    env: { COPPICE_API_KEY: "test-key" },
  });
  /** Resolves with all of the output once it holds what is wanted. */
  const said = (wanted: string) =>
    new Promise<string>((resolve) => {
      let output = "";
      child.stdout?.on("data", (text: string) => {
        output += text;
        if (output.includes(wanted)) resolve(output);
      });
    });
  return { child, ended, said };
}

async function messagesOf(sandbox: Sandbox) {
  const [path = ""] = await sandbox.sessionFiles();
  return jsonLines(await readFile(path, "utf8")).flatMap(({ message }) => {
    const { role, stopReason } = (message ?? {}) as { role?: string; stopReason?: string };
    return role === undefined || role === "system" ? [] : [stopReason ?? role];
  });
}

/** A process that is over, though nobody asked for its end yet, runs no more. */
function isRunning(pid: string): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  return !/^(Z.*)?$/.test(stdout.trim());
}

const server = (...answers: readonly WireAnswer[]) => createWireServer({ answers });
const at = (wire: Awaited<ReturnType<typeof server>>) => [
  ...["--base-url", wire.baseUrl("openai-completions"), "--model", "m"],
];
const PROMPT = JSON.stringify({ id: 1, type: "prompt", message: "go" });

test("CL-10: rpc mode that waits for commands ends when its parent is killed", async () => {
  await using sandbox = await createSandbox();
  const { child, ended, said } = await startUnderParent(sandbox, "{}", ["--model", "demo", "--mode", "rpc"]);
  await said('"ready"');
  child.kill("SIGKILL");
  expect((await ended).stderr).toBe("");
});

test("CL-10: rpc mode ends in the middle of an answer when its parent is killed; the session is whole", async () => {
  await using sandbox = await createSandbox();
  const killed = Promise.withResolvers<void>();
  // One more word comes after the parent's death, and then none: the answer has no end of its own.
  const never = Promise.withResolvers<void>().promise;
  const gate = (index: number) => (index < 2 ? undefined : index === 2 ? killed.promise : never);
  const content = [scriptedText("word word word word word")];
  await using wire = await server({ content, pace: { chunkSize: 5, gate } });
  const { child, ended, said } = await startUnderParent(sandbox, PROMPT, [...at(wire), "--mode", "rpc"]);
  await said("text_delta");
  child.once("exit", () => killed.resolve());
  child.kill("SIGKILL");
  await ended;
  expect(await messagesOf(sandbox)).toEqual(["user", "aborted"]);
});

test("CL-10: rpc mode takes a tool along when its parent is killed", async () => {
  await using sandbox = await createSandbox();
  const command = "echo pid $$; while :; do echo again; sleep 0.1; done";
  await using wire = await server({ content: [scriptedToolCall("bash", { command })] });
  const { child, ended, said } = await startUnderParent(sandbox, PROMPT, [...at(wire), "--mode", "rpc"]);
  const output = await said("again\\n");
  child.kill("SIGKILL");
  await ended;
  const pid = /pid (\d+)/.exec(output)?.[1] ?? "none";
  expect(pid).not.toBe("none");
  expect(isRunning(pid)).toBe(false);
  expect((await messagesOf(sandbox)).slice(0, 2)).toEqual(["user", "toolUse"]);
});

test("CL-10: rpc mode takes along a command that prints nothing, soon after its parent is killed", async () => {
  await using sandbox = await createSandbox();
  const begun = join(sandbox.project, "begun");
  // The shell has a child of its own: the whole group has to go, and nothing is ever printed.
  const command = "sleep 100000 & echo $! > begun.new; mv begun.new begun; wait";
  await using wire = await server({ content: [scriptedToolCall("bash", { command })] });
  const { child, ended } = await startUnderParent(sandbox, PROMPT, [...at(wire), "--mode", "rpc"]);
  const pid = await vi.waitFor(() => readFile(begun, "utf8"), { timeout: 120_000, interval: 50 });
  child.kill("SIGKILL");
  await ended;
  expect(isRunning(pid.trim())).toBe(false);
  expect((await messagesOf(sandbox)).slice(0, 2)).toEqual(["user", "toolUse"]);
});

test("CL-10: rpc mode whose input has ended finishes a command that prints nothing for a client that still reads", async () => {
  await using sandbox = await createSandbox();
  const command = "until test -e go; do sleep 0.05; done";
  await using wire = await server(
    { content: [scriptedToolCall("bash", { command })] },
    { content: [scriptedText("done")] },
  );
  const run = sandbox.start([...at(wire), "--mode", "rpc"], {
    env: { COPPICE_API_KEY: "test-key" },
    stdin: `${PROMPT}\n`,
  });
  await new Promise<void>((resolve) => {
    run.child.stdout?.on("data", (text: string) => text.includes('{"type":"keep_alive"}\n') && resolve());
  });
  await writeFile(join(sandbox.project, "go"), "");
  const { exitCode, stdout } = await run.ended;
  expect(exitCode).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "agent_settled", aborted: false });
  expect(await messagesOf(sandbox)).toEqual(["user", "toolUse", "toolResult", "stop"]);
});

test("CL-10: -p finishes what it was asked when its parent is killed, and ends", async () => {
  await using sandbox = await createSandbox();
  const asked = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const gate = () => {
    asked.resolve();
    return killed.promise;
  };
  await using wire = await server({ content: [scriptedText("done")], pace: { gate } });
  const { child, ended } = await startUnderParent(sandbox, "", [...at(wire), "-p", "go"]);
  await asked.promise;
  child.once("exit", () => killed.resolve());
  child.kill("SIGKILL");
  await ended;
  expect(await messagesOf(sandbox)).toEqual(["user", "stop"]);
});
