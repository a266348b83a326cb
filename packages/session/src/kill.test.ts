import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isSessionError } from "./errors.ts";
import { userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

const KILLS = 12;
const WRITERS = 4;
const ROUNDS = 10;

/** A process that appends to one session as fast as it can and prints the id of each entry once it is acknowledged. */
function startWriter(directory: string, ref: string, rounds: number): ChildProcess {
  const script = fileURLToPath(new URL("./testing/append-forever.ts", import.meta.url));
  const args = ["--conditions=@coppice/source", script, directory, ref, String(rounds)];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

async function linesOf(
  child: ChildProcess,
  onLine: (count: number) => void = () => undefined,
): Promise<readonly string[]> {
  const lines: string[] = [];
  if (child.stdout === null) throw new Error("the writer has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    onLine(lines.length);
  }
  return lines;
}

test("SE-01: a writer killed at any moment loses no acknowledged entry, and its lock is taken over", async () => {
  await using folder = await SessionFolder.create();
  const repo = folder.repo();
  const session = await repo.create({ cwd: "/w", id: "killed" });
  await session.appendMessage(userMessage("start"));
  await session.close();
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startWriter(folder.directory, "killed", Number.MAX_SAFE_INTEGER);
    const closed = once(child, "close");
    // The moment differs from run to run: some number of entries, then wherever the writer happens to be.
    const lines = await linesOf(child, (count) => {
      if (count > kill * 17) child.kill("SIGKILL");
    });
    await closed;
    acknowledged.push(...lines.filter((line) => /^[0-9a-f]{16}$/.test(line)));
    const reader = await repo.open("killed", { readOnly: true });
    const ids = new Set((await reader.getEntries()).map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(reader.diagnostics.filter(({ code }) => code !== "unreadable_line")).toEqual([]);
    await reader.close();
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS);
}, 120_000);

test("B009, SE-26: many processes that take turns on one session lose nothing and make no branch", async () => {
  await using folder = await SessionFolder.create();
  const repo = folder.repo();
  const session = await repo.create({ cwd: "/w", id: "shared" });
  await session.appendMessage(userMessage("start"));
  await expect(folder.repo().open("shared")).rejects.toSatisfy((error) => isSessionError(error, "locked"));
  await session.close();
  const writers = Array.from({ length: WRITERS }, () => startWriter(folder.directory, "shared", ROUNDS));
  const ids = (await Promise.all(writers.map((child) => linesOf(child)))).flat();
  const last = await repo.open("shared", { readOnly: true });
  const branch = (await last.getBranch()).map(({ id }) => id);
  expect(ids).toHaveLength(WRITERS * ROUNDS);
  expect(new Set(branch.slice(1))).toEqual(new Set(ids));
  expect([(await last.getEntries()).length, last.diagnostics]).toEqual([branch.length, []]);
}, 120_000);
