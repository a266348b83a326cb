import { readFile, utimes } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { isSessionError } from "./errors.ts";
import { lockPath } from "./lock.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import { nodeProcessInfo, type ProcessInfo } from "./process-info.ts";
import type { SessionFiles } from "./session-files.ts";
import { userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

const header =
  '{"type":"session","version":3,"id":"s-1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}\n';

/** Processes by pid, each with its start time. */
function machine(pid: number, running: Readonly<Record<number, string>>): ProcessInfo {
  return { pid, host: "here", startTimeOf: async (of) => running[of] };
}

const isLocked = expect.toSatisfy((error: unknown) => isSessionError(error, "locked"));

describe("B009: the lock of a session", () => {
  test("refuses a second writer with an error that names the first", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    const running = { 10: "start 10", 11: "start 11" };
    await folder.repo({ processInfo: machine(10, running) }).open(path);
    await expect(folder.repo({ processInfo: machine(11, running) }).open(path)).rejects.toMatchObject({
      code: "locked",
      message: `process 10 on here is writing the session; its lock is ${path}.lock.`,
      data: { path, lockPath: `${path}.lock`, pid: 10, host: "here", isOtherHost: false },
    });
  });

  test("of another host is refused with what to do when nobody is there any more", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    await folder.write("s.jsonl.lock", JSON.stringify({ pid: 10, host: "there", startTime: "start 10" }));
    await expect(folder.repo({ processInfo: machine(11, {}) }).open(path)).rejects.toMatchObject({
      code: "locked",
      advice: "If nothing on there writes it any more, delete the lock file.",
      exitCode: 2,
      data: { lockPath: `${path}.lock`, host: "there", isOtherHost: true },
    });
  });

  test("is held by a new session from its first append", async () => {
    await using folder = await SessionFolder.create();
    const running = { 10: "start 10", 11: "start 11" };
    const session = await folder.repo({ processInfo: machine(10, running) }).create({ cwd: "/w" });
    await session.appendMessage(userMessage("x"));
    await expect(folder.repo({ processInfo: machine(11, running) }).open(session.id)).rejects.toEqual(
      isLocked,
    );
  });

  test("leaves no file behind", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    const session = await folder.repo().open(path);
    expect(await folder.files()).toEqual(["s.jsonl", "s.jsonl.lock"]);
    await session.close();
    expect(await folder.files()).toEqual(["s.jsonl"]);
  });

  test.each([
    ["a dead process", { pid: 999_999, host: "here", startTime: "x" }],
    ["a pid that was given to another process", { pid: 1, host: "here", startTime: "an earlier start" }],
  ])("B010: of %s is taken over", async (_name, owner) => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    await folder.write("s.jsonl.lock", JSON.stringify(owner));
    const processInfo = machine(10, { 1: "start 1", 10: "start 10" });
    await folder.repo({ processInfo }).open(path);
    expect(JSON.parse(await readFile(lockPath(path), "utf8"))).toEqual({
      pid: 10,
      host: "here",
      startTime: "start 10",
    });
  });

  test.each([
    ["a live process", { pid: 1, host: "here", startTime: "start 1" }],
    ["a process of another machine", { pid: 999_999, host: "there", startTime: "x" }],
  ])("B010: of %s holds", async (_name, owner) => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    await folder.write("s.jsonl.lock", JSON.stringify(owner));
    const processInfo = machine(10, { 1: "start 1", 10: "start 10" });
    await expect(folder.repo({ processInfo }).open(path)).rejects.toEqual(isLocked);
  });

  test("that says nothing holds while it is young, and is taken over when it is old", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    const lock = await folder.write("s.jsonl.lock", "");
    await expect(folder.repo().open(path)).rejects.toEqual(isLocked);
    await utimes(lock, 1, 1);
    await folder.repo().open(path);
  });

  test("that was given back and taken again while somebody looked at it is left alone", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    const lock = await folder.write(
      "s.jsonl.lock",
      JSON.stringify({ pid: 1, host: "here", startTime: "start 1" }),
    );
    const next = JSON.stringify({ pid: 2, host: "here", startTime: "start 2" });
    // The first owner gives its lock back when it is looked at; the second takes it right after the second look.
    let looks = 0;
    const files: SessionFiles = {
      ...nodeSessionFiles,
      async open(opened, mode) {
        if (opened !== lock || mode !== "read") return nodeSessionFiles.open(opened, mode);
        looks++;
        if (looks === 1) await nodeSessionFiles.remove(lock);
        const found = nodeSessionFiles.open(opened, mode);
        await found.catch(() => undefined);
        if (looks === 2) await folder.write("s.jsonl.lock", next);
        return found;
      },
    };
    const processInfo = machine(10, { 2: "start 2", 10: "start 10" });
    await expect(folder.repo({ fileSystem: files, processInfo }).open(path)).rejects.toEqual(isLocked);
    expect(await readFile(lock, "utf8")).toBe(next);
  });

  test("goes to one only of many who find it stale at once", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", header);
    await folder.write("s.jsonl.lock", JSON.stringify({ pid: 7, host: "here", startTime: "gone" }));
    const running = Object.fromEntries([1, 2, 3, 4, 5, 6].map((pid) => [pid, `start ${pid}`]));
    const attempts = Object.keys(running).map((pid) =>
      folder.repo({ processInfo: machine(Number(pid), running) }).open(path),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a guard whose owner died while it took a stale lock over", () => {
  const running = Object.fromEntries([1, 2, 3, 4, 5, 6].map((pid) => [pid, `start ${pid}`]));
  const dead = (pid: number) => JSON.stringify({ pid, host: "here", startTime: "gone" });

  async function withDeadGuards(folder: SessionFolder): Promise<string> {
    const path = await folder.write("s.jsonl", header);
    await folder.write("s.jsonl.lock", dead(7));
    await folder.write("s.jsonl.lock.takeover", dead(8));
    return path;
  }

  test("lets one only of many through, and goes with the takeover", async () => {
    await using folder = await SessionFolder.create();
    const path = await withDeadGuards(folder);
    const attempts = Object.keys(running).map((pid) =>
      folder.repo({ processInfo: machine(Number(pid), running) }).open(path),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await folder.files()).toEqual(["s.jsonl", "s.jsonl.lock"]);
  });

  test("may have followers that died, too", async () => {
    await using folder = await SessionFolder.create();
    const path = await withDeadGuards(folder);
    let isCut = true;
    const files: SessionFiles = {
      ...nodeSessionFiles,
      remove: (removed) => (isCut ? Promise.reject(new Error("killed")) : nodeSessionFiles.remove(removed)),
    };
    const processInfo = machine(1, { ...running, 9: "start 9" });
    const killed = folder.repo({ fileSystem: files, processInfo: { ...processInfo, pid: 9 } }).open(path);
    await expect(killed).rejects.toThrow("killed");
    expect(await folder.files()).toHaveLength(4);
    isCut = false;
    await folder.repo({ fileSystem: files, processInfo: machine(1, running) }).open(path);
    expect(await folder.files()).toEqual(["s.jsonl", "s.jsonl.lock"]);
  });

  test("that somebody cleared away meanwhile lets nobody through", async () => {
    await using folder = await SessionFolder.create();
    const path = await withDeadGuards(folder);
    const guard = `${path}.lock.takeover`;
    const files: SessionFiles = {
      ...nodeSessionFiles,
      async open(opened, mode) {
        // The takeover that was under way ends between the look at its guard and the guard that follows it.
        if (mode === "create" && opened.startsWith(`${guard}-`)) await nodeSessionFiles.remove(guard);
        return nodeSessionFiles.open(opened, mode);
      },
    };
    await expect(
      folder.repo({ fileSystem: files, processInfo: machine(1, running) }).open(path),
    ).rejects.toEqual(isLocked);
    expect(await folder.files()).toEqual(["s.jsonl", "s.jsonl.lock"]);
  });
});

test("a process of this machine has a start time that does not change, a dead one has none", async () => {
  const info = nodeProcessInfo(process.pid);
  const startTime = await info.startTimeOf(process.pid);
  expect(startTime).toBeTypeOf("string");
  expect(await info.startTimeOf(process.pid)).toBe(startTime);
  expect(await info.startTimeOf(2 ** 30)).toBeUndefined();
});
