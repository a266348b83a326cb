import { expect, test } from "vitest";
import { isSessionError } from "./errors.ts";
import { userMessage } from "./testing/index.ts";
import { killWriters, takeTurns } from "./testing/kill-rounds.ts";
import { SessionFolder } from "./testing/session-folder.ts";

// `bench/session/kill.bench.ts` does the same with 200 kills and with 4 × 100 rounds.
const KILLS = 12;
const WRITERS = 4;
const ROUNDS = 10;

test("SE-01: a writer killed at any moment loses no acknowledged entry, and its lock is taken over", async () => {
  await using folder = await SessionFolder.create();
  const { directory } = folder;
  const killed = await killWriters({ directory, kills: KILLS, maxEntries: 200, random: Math.random });
  expect([killed.lost, killed.faults]).toEqual([[], []]);
  expect(killed.acknowledged.length).toBeGreaterThan(KILLS);
  expect(killed.branchLength).toBe(killed.entryCount);
}, 300_000);

test("B009, SE-26: many processes that take turns on one session lose nothing and make no branch", async () => {
  await using folder = await SessionFolder.create();
  const turns = await takeTurns({ directory: folder.directory, writers: WRITERS, rounds: ROUNDS });
  expect(turns).toEqual({
    acknowledged: turns.acknowledged,
    lost: [],
    faults: [],
    entryCount: WRITERS * ROUNDS + 1,
    branchLength: WRITERS * ROUNDS + 1,
  });
  expect(new Set(turns.acknowledged).size).toBe(WRITERS * ROUNDS);
}, 300_000);

test("B009: a second process is refused while the first one writes", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w", id: "shared" });
  await session.appendMessage(userMessage("start"));
  await expect(folder.repo().open("shared")).rejects.toSatisfy((error) => isSessionError(error, "locked"));
});
