import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  killWriters,
  takeTurns,
  type WritingOutcome,
} from "../../packages/session/src/testing/kill-rounds.ts";
import { randomNumbers } from "./generate-session.ts";

/** 200 kills of a process that writes at full speed, and 4 processes × 100 turns on one session. Fails on any loss. */
const KILLS = 200;
const WRITERS = 4;
const ROUNDS = 100;

function report(
  name: string,
  { acknowledged, lost, faults, entryCount, branchLength }: WritingOutcome,
): void {
  const siblings = entryCount - branchLength;
  console.log(
    name,
    JSON.stringify({ acknowledged: acknowledged.length, lost: lost.length, siblings, faults }),
  );
  if (lost.length + siblings + faults.length > 0) process.exitCode = 1;
}

const directory = await mkdtemp(join(tmpdir(), "coppice-bench-kill-"));
try {
  const random = randomNumbers(Date.now());
  report(`${KILLS} kills`, await killWriters({ directory, kills: KILLS, maxEntries: 300, random }));
  report(`${WRITERS} × ${ROUNDS} turns`, await takeTurns({ directory, writers: WRITERS, rounds: ROUNDS }));
} finally {
  await rm(directory, { recursive: true });
}
