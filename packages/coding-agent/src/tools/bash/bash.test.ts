import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateToolArguments } from "@coppice/ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalEnvironment } from "../../env/local-environment.ts";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool, type ToolOutcome } from "../../testing/run-tool.ts";
import { createBuiltinTools } from "../builtin-tools.ts";
import { type BashDetails, createBashTool } from "./tool.ts";

let cwd = "";
let scratchDirectory = "";
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "coppice bash $x-")));
  scratchDirectory = await mkdtemp(join(tmpdir(), "coppice-scratch-"));
});
afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
  await rm(scratchDirectory, { recursive: true, force: true });
});

interface BashOutcome extends Omit<ToolOutcome, "details"> {
  readonly details: BashDetails;
}

async function bash(
  command: string,
  options: {
    timeout?: number;
    signal?: AbortSignal;
    onUpdate?: (text: string) => void;
    shellPath?: string;
  } = {},
): Promise<BashOutcome> {
  const { timeout, signal, onUpdate, shellPath } = options;
  const environment = createLocalEnvironment({
    environmentVariables: { PATH: "/usr/local/bin:/usr/bin:/bin", ANTHROPIC_API_KEY: "secret", HOME: cwd },
    scratchDirectory,
    ...(shellPath === undefined ? {} : { shellPath }),
  });
  const outcome = await runTool(
    createBashTool({ cwd, environment }),
    { command, ...(timeout === undefined ? {} : { timeout }) },
    {
      now: Date.now,
      ...(signal === undefined ? {} : { signal }),
      onUpdate: (partial) =>
        onUpdate?.(partial.content.map((block) => (block.type === "text" ? block.text : "")).join("")),
    },
  );
  return { ...outcome, details: outcome.details as BashDetails };
}

/** True while a process whose command line holds `mark` is alive. */
async function isRunning(mark: string): Promise<boolean> {
  const { text } = await bash(
    `grep -lae '${mark.slice(0, -1)}[${mark.slice(-1)}]' /proc/[0-9]*/cmdline 2>/dev/null || true`,
  );
  return text !== "(no output)";
}

describe("how a command ended", () => {
  test("TO-01, B184: it runs in the working directory, whatever its name", async () => {
    expect((await bash("pwd")).text).toBe(cwd);
  });

  test("B130, B176: silence and failure are told", async () => {
    expect(await bash("true")).toMatchObject({
      text: "(no output)",
      isError: false,
      details: { exitCode: 0 },
    });
    expect(await bash("false")).toMatchObject({
      text: "(no output)\n\n[Command exited with code 1.]",
      isError: true,
      details: { exitCode: 1 },
    });
  });

  test("TO-16: death by a signal is an error with its exit code", async () => {
    expect(await bash("kill -9 $$")).toMatchObject({
      text: "(no output)\n\n[Command ended by SIGKILL (exit code 137).]",
      isError: true,
      details: { signal: "SIGKILL" },
    });
  });

  test("B177: nothing waits for a keyboard", async () => {
    expect(await bash("read x; echo got $x; cat")).toMatchObject({ text: "got", details: { exitCode: 0 } });
  });

  test.each([
    { name: "keys read from stderr", command: "head -c 1 <&2; head -c 1 <&1; echo got" },
    { name: "a terminal", command: "test -t 0 || test -t 1 || (: </dev/tty) 2>/dev/null || echo got" },
    { name: "a password for git", command: 'test "$GIT_TERMINAL_PROMPT" = 0 && echo got' },
    { name: "a pager", command: "$PAGER </dev/null && $GIT_PAGER </dev/null && echo got" },
  ])("B177: there is no $name", async ({ command }) => {
    expect(await bash(command, { timeout: 5 })).toMatchObject({ text: "got", details: { exitCode: 0 } });
  });

  test("B177: an editor fails at once and says what to do; a command line can set its own", async () => {
    await bash(
      "git init -q . && git config user.email a@b && git config user.name a && echo 1 >f && git add f",
    );
    expect(await bash("git commit", { timeout: 5 })).toMatchObject({
      text: expect.stringContaining(
        "Nobody can use an editor here. Pass the text as an argument (git commit -m)",
      ),
      isError: true,
      details: { exitCode: 1 },
    });
    expect(await bash("GIT_EDITOR='echo text >' git commit -q", { timeout: 5 })).toMatchObject({
      isError: false,
    });
    expect(await bash("$EDITOR f; $VISUAL f", { timeout: 5 })).toMatchObject({ isError: true });
  });

  test("B177: an editor called by its name finds no keys either", async () => {
    // Vim takes keys from stderr when stdin is at its end.
    const { details } = await bash("command -v vim >/dev/null && vim -u NONE -N f", { timeout: 20 });
    expect(details.exitCode).toBe(1);
  });

  test("TO-14: a missing shell and a missing folder are error results", async () => {
    expect(await bash("true", { shellPath: "/no/such/shell" })).toMatchObject({ isError: true });
    await rm(cwd, { recursive: true });
    expect(await bash("true")).toMatchObject({
      isError: true,
      text: `The working directory ${cwd} does not exist or is no directory.`,
    });
  });

  test("B251: commands do not see the provider's key", async () => {
    expect((await bash("env")).text).not.toContain("secret");
  });
});

describe("processes", () => {
  test("B170, TO-15: a background child does not hold the call, and late output is kept", async () => {
    const { text, details } = await bash("sleep 61.25 & echo $!; (sleep 0.05; echo late) &");
    const [pid, late] = text.split("\n");
    expect(late).toBe("late");
    expect(details.durationMs).toBeLessThan(3000);
    // A server started in the background goes on, until the program ends.
    expect(await isRunning("61.25")).toBe(true);
    process.kill(Number(pid));
  });

  test("TO-15: a background child that prints for ever does not hold the call", async () => {
    const { text, details } = await bash("(while true; do echo x; sleep 0.02; done) & echo pid=$!; exit 3");
    expect(details).toMatchObject({ exitCode: 3 });
    expect(details.durationMs).toBeLessThan(5000);
    expect(text).toMatch(/^x$/m);
    // The child may print before its parent does.
    process.kill(Number(/^pid=(\d+)$/m.exec(text)?.[1]));
  });

  test("B172, B175: a timeout keeps the output and leaves no survivor", async () => {
    const outcome = await bash('echo A; bash -c "sleep 62.25 | cat; true"', { timeout: 0.3 });
    expect(outcome).toMatchObject({
      text: "A\n\n[Command timed out after 0.3 seconds and was ended.]",
      isError: true,
    });
    expect(outcome.details.durationMs).toBeLessThan(2000);
    expect(await isRunning("62.25")).toBe(false);
  });

  test("B183: a timeout also ends the stages of a pipeline whose parent has ended before", async () => {
    const outcome = await bash("(sleep 74.25 & exit 0) | (sleep 75.25 & exit 0) | sleep 76.25", {
      timeout: 0.5,
    });
    expect(outcome.text).toContain("timed out");
    const alive = await Promise.all(["74.25", "75.25", "76.25"].map(isRunning));
    expect(alive).toEqual([false, false, false]);
  });

  test("one second is a second", async () => {
    expect((await bash("sleep 30", { timeout: 1 })).text).toContain("timed out after 1 second and was");
  });

  test("TO-16: an abort ends the whole tree, also one that ignores SIGTERM, and nothing runs after it", async () => {
    const controller = new AbortController();
    const outcome = await bash("trap '' TERM; echo started; sleep 63.25; touch marker", {
      signal: controller.signal,
      onUpdate: () => controller.abort(),
    });
    expect(outcome).toMatchObject({ text: "started\n\n[Command aborted.]", isError: true });
    expect(await isRunning("63.25")).toBe(false);
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });

  test("a command is not even started after an abort", async () => {
    const outcome = await bash("touch marker", { signal: AbortSignal.abort() });
    expect(outcome.isError).toBe(true);
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });
});

test("calls of one batch keep their order around commands, which may make or read any file", async () => {
  const environment = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  const tools = new Map(createBuiltinTools({ cwd, environment }).map((tool) => [tool.name, tool]));
  const call = (name: string, params: object) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return runTool(tool, params);
  };
  const outcomes = await Promise.all([
    call("bash", { command: "sleep .2; mkdir d; echo made >d/made" }),
    call("write", { path: "d/a.sh", content: "cat made\n" }),
    call("read", { path: "d/made" }),
    call("bash", { command: "cd d && sh a.sh && sleep .1 && echo made | tr m f >made" }),
    call("edit", { path: "d/made", edits: [{ oldText: "fade", newText: "gone" }] }),
    call("grep", { pattern: "gone" }),
    call("bash", { command: "cat d/made" }),
  ]);
  expect(outcomes.map(({ text }) => text)).toEqual([
    "(no output)",
    "Created d/a.sh (9 bytes).",
    "made\n",
    "made",
    "d/made has changed since it was last read. Read it again, then edit.",
    "No matches (ignored files and .git are not searched).",
    "fade",
  ]);
});

test.each([0, -1, Number.NaN, 1e12, "soon"])(
  "TO-17: a timeout of %s is a validation error",
  async (timeout) => {
    const tool = createBashTool({ cwd, environment: createMemoryEnvironment() });
    const check = await validateToolArguments(tool, { command: "true", timeout });
    expect(check.ok).toBe(false);
  },
);

test("TO-20, B245: commands get the given variables and the documented ones, whatever lies in the folder or ran before", async () => {
  await writeFile(join(cwd, ".env"), "PROBE=from-file\n");
  await writeFile(join(cwd, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  await bash("export PROBE=from-command; PATH=/nowhere; true");
  const { text } = await bash("env");
  const names = text.split("\n").flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
  expect(names.filter((name) => !["PWD", "SHLVL", "OLDPWD", "_"].includes(name)).toSorted()).toEqual([
    "EDITOR",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_TERMINAL_PROMPT",
    "HOME",
    "PAGER",
    "PATH",
    "VISUAL",
  ]);
  expect(text).toContain("PATH=/usr/local/bin:/usr/bin:/bin\n");
});

describe("output", () => {
  test("TO-33: it is shown while the command runs", async () => {
    const updates: string[] = [];
    await bash("echo one; sleep 0.15; echo two; sleep 0.15; echo three", {
      onUpdate: (text) => updates.push(text),
    });
    expect(updates[0]).toBe("one");
    expect(updates.length).toBeGreaterThanOrEqual(2);
  });

  test("TO-19: control sequences go, and characters survive being cut into chunks", async () => {
    const { text } = await bash(
      "printf '\\033[31mred\\033[0m\\0\\n'; printf '\\360\\237'; sleep 0.05; printf '\\224\\245\\n'; printf '1%%\\r2%%\\n'",
    );
    expect(text).toBe("red\n🔥\n2%");
  });

  test("B178, TO-22: output cut by lines is whole in a private file that the notice names", async () => {
    const { text, details } = await bash("seq 1 2500");
    expect(text.startsWith("501\n502\n")).toBe(true);
    expect(
      text.endsWith(`2500\n\n[Lines 501-2500 of 2500 shown. Full output: ${details.fullOutputPath}]`),
    ).toBe(true);
    const path = details.fullOutputPath ?? "";
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(2501);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(details.truncation).toEqual({
      truncated: true,
      truncatedBy: "lines",
      totalLines: 2500,
      totalBytes: 11393,
      outputLines: 2000,
      outputBytes: 9500,
      lastLinePartial: false,
      maxLines: 2000,
      maxBytes: 51200,
    });
  });

  test("exactly 2000 lines are all shown", async () => {
    const { text, details } = await bash("seq 1 2000");
    expect(text.split("\n")).toHaveLength(2000);
    expect(details.truncation).toBeUndefined();
  });

  test("B181, TO-18, PF-04: a huge line keeps its end, exit 0, and every byte in the file", async () => {
    const { text, details, isError } = await bash("head -c 12000000 /dev/zero | tr '\\0' x; printf END");
    expect(isError).toBe(false);
    expect(text).toMatch(/xEND\n\n\[Last 50\.0 KB of line 1 of 1 shown\. Full output: \S+\]$/);
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(details.fullOutputPath ?? "")) hash.update(chunk);
    expect(hash.digest("hex")).toBe(
      createHash("sha256")
        .update(`${"x".repeat(12_000_000)}END`)
        .digest("hex"),
    );
  });
});
