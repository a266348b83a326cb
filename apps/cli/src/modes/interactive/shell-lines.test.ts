import type { AgentMessage } from "@coppice/agent";
import type { AgentHarness, Shell } from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { parseShellLine, ShellLines } from "./shell-lines.ts";

test.each([
  { text: "!ls -l", expected: { command: "ls -l", isPrivate: false } },
  { text: "!! env", expected: { command: "env", isPrivate: true } },
  { text: " !git\nlog ", expected: { command: "git\nlog", isPrivate: false } },
  { text: "!", expected: undefined },
  { text: "!!!", expected: undefined },
  { text: "why !ls?", expected: undefined },
])("parseShellLine $text", ({ text, expected }) => {
  expect(parseShellLine(text)).toEqual(expected);
});

interface Run {
  readonly command: string;
  readonly cwd: string;
  readonly print: (text: string) => void;
  readonly exit: (exitCode: number) => void;
}

function createLines({ isBusy = false } = {}) {
  const runs: Run[] = [];
  const log: unknown[] = [];
  const shell: Shell = {
    run: (command, { cwd, signal, onOutput }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () =>
          resolve({ exitCode: undefined, signal: "SIGTERM", reason: "aborted" }),
        );
        runs.push({
          ...{ command, cwd },
          print: (text) => void onOutput(Buffer.from(text)),
          exit: (exitCode) => resolve({ exitCode, signal: undefined, reason: "exited" }),
        });
      }),
  };
  const agent = {
    isBusy,
    session: { cwd: "/project" },
    addMessage: async (message: unknown) => log.push(["added", message]),
  };
  const lines = new ShellLines({
    shell,
    agent: () => agent as unknown as AgentHarness,
    views: {
      transcript: { handle: () => log.push("shown") },
      working: { show: () => log.push("working"), hide: () => log.push("still") },
    },
    requestRender: () => log.push("drawn"),
    now: () => 7,
    fail: (error) => log.push(String(error)),
  });
  return { lines, runs, log };
}

test("TO-21: a command runs in the session's directory, is shown and stored with its end; !! is kept from the model", async () => {
  const { lines, runs, log } = createLines();
  const shared = lines.run({ command: "ls", isPrivate: false });
  runs[0]?.print(`${"x".repeat(50_000)}end\n`);
  runs[0]?.exit(2);
  await shared;
  const stored = {
    ...{ role: "bashExecution", command: "ls", output: `${"x".repeat(49_996)}end`, exitCode: 2 },
    ...{ cancelled: false, truncated: true, timestamp: 7 },
  };
  expect(runs[0]?.cwd).toBe("/project");
  expect(log.splice(0)).toEqual(["working", "shown", "still", "drawn", ["added", stored]]);

  const own = lines.run({ command: "env", isPrivate: true });
  runs[1]?.exit(0);
  await own;
  expect(log.at(-1)).toMatchObject(["added", { command: "env", output: "", excludeFromContext: true }]);
});

test("CL-13: while the agent works a command runs and is shown at once, and the agent is told, who has a place for it", async () => {
  const { lines, runs, log } = createLines({ isBusy: true });
  const run = lines.run({ command: "ls", isPrivate: false });
  runs[0]?.exit(0);
  await run;
  expect(log).toMatchObject(["shown", "drawn", ["added", { exitCode: 0 }]]);
  // When it has joined the conversation, it is not shown once more.
  const [, message] = log.at(-1) as readonly [string, AgentMessage];
  expect(lines.hasShown({ type: "message_end", message })).toBe(true);
  expect(lines.hasShown({ type: "message_end", message: { ...message } })).toBe(false);
});

test("TO-21: Esc stops the command, which is stored as stopped; a second one waits for the person, not in a queue", async () => {
  const { lines, log } = createLines();
  expect(lines.interrupt()).toBe(false);
  const run = lines.run({ command: "sleep 9", isPrivate: false });
  await lines.run({ command: "ls", isPrivate: false });
  expect(log.at(-1)).toContain("Esc stops it");
  expect(lines.interrupt()).toBe(true);
  await run;
  expect(log.at(-1)).toMatchObject(["added", { cancelled: true }]);
});
