import { existsSync, readdirSync, utimesSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { MemoryRepo } from "@coppice/session";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createLocalEnvironment } from "../env/local-environment.ts";
import { createScenario } from "../testing/scenario.ts";
import { pruneSnapshots, removeUnusedStores } from "./prune-snapshots.ts";
import { journalPath } from "./snapshot-files.ts";
import { SnapshotPruning } from "./snapshot-pruning.ts";
import { SnapshotStore } from "./snapshot-store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
let directory = "";
let lastId = 0;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "coppice-prune-")), "store");
  const made = join(directory, "..");
  onTestFinished(() => rm(made, { recursive: true, force: true }));
});

const storeOf = (sessionId: string, place = directory) =>
  new SnapshotStore({ directory: place, newId: () => `id-${++lastId}`, sessionId: () => sessionId });

/** A session that changed one file `daysAgo`: from `before`, to nothing. */
async function sessionThat(id: string, options: { before: string; daysAgo: number; place?: string }) {
  const { before, daysAgo, place = directory } = options;
  const store = storeOf(id, place);
  const hash = await store.keep(Buffer.from(before));
  const finish = await store.begin({
    ...{ toolCallId: `call of ${id}`, atMs: 0, path: "/p/a" },
    before: { hash, mode: 0o644 },
  });
  await finish(null);
  age(id, daysAgo, place);
  return hash;
}

/** Makes a session's journal, and all versions, as old as that. */
function age(id: string, days: number, place = directory): void {
  const then = new Date(Date.now() - days * DAY_MS);
  utimesSync(journalPath(place, id), then, then);
  for (const folder of readdirSync(join(place, "blobs"))) {
    for (const name of readdirSync(join(place, "blobs", folder))) {
      utimesSync(join(place, "blobs", folder, name), then, then);
    }
  }
}

const prune = (
  limits: { maxAgeDays?: number; maxBytes?: number },
  { reachable = [] as readonly string[], signal = new AbortController().signal } = {},
) =>
  pruneSnapshots({
    ...{ directory, signal, nowMs: Date.now() },
    limits: { maxAgeDays: 90, maxBytes: 1_000_000, ...limits },
    reachable: async () => new Set(reachable),
  });

const sessionsLeft = async () => {
  const changes = await storeOf("any").changes();
  return changes.map(({ toolCallId }) => toolCallId.replace("call of ", "")).toSorted();
};
const held = async (hash: string) => (await storeOf("any").read(hash)) !== undefined;

test("sessions that were not used for too long go with their versions; what another one names stays", async () => {
  const old = await sessionThat("old", { before: "only the old one had it", daysAgo: 100 });
  const shared = await sessionThat("old too", { before: "both had it", daysAgo: 100 });
  await sessionThat("young", { before: "both had it", daysAgo: 10 });
  age("old", 100);
  age("old too", 100);
  await prune({ maxAgeDays: 90 });
  expect(await sessionsLeft()).toEqual(["young"]);
  expect([await held(old), await held(shared)]).toEqual([false, true]);
});

test("of too much the sessions that were used least recently go first, and only as many as needed", async () => {
  for (const [id, daysAgo] of [
    ["a", 30],
    ["b", 20],
    ["c", 10],
  ] as const) {
    await sessionThat(id, { before: id.repeat(1000), daysAgo });
  }
  for (const [id, daysAgo] of [
    ["a", 30],
    ["b", 20],
    ["c", 10],
  ] as const)
    age(id, daysAgo);
  await prune({ maxBytes: 2500 });
  expect(await sessionsLeft()).toEqual(["b", "c"]);
  await prune({ maxBytes: 0 });
  expect(await sessionsLeft()).toEqual([]);
});

test("what the current session can reach stays whatever its age, and so does what was used today", async () => {
  const forked = await sessionThat("parent of a fork", { before: "x".repeat(1000), daysAgo: 400 });
  age("parent of a fork", 400);
  await sessionThat("elsewhere", { before: "y".repeat(1000), daysAgo: 0 });
  await prune({ maxAgeDays: 1, maxBytes: 1 }, { reachable: ["call of parent of a fork"] });
  expect(await sessionsLeft()).toEqual(["elsewhere", "parent of a fork"]);
  expect(await held(forked)).toBe(true);
});

test("versions that are kept for a change to come stay with their session", async () => {
  const hash = await storeOf("running").keep(Buffer.from("not changed yet"));
  age("running", 2);
  await prune({});
  expect(await held(hash)).toBe(true);
});

test("versions that nobody names go after a day", async () => {
  await sessionThat("any", { before: "named", daysAgo: 2 });
  const orphans = join(directory, "blobs", "ab");
  await mkdir(orphans, { recursive: true });
  await writeFile(join(orphans, "ab-new"), "");
  await writeFile(join(orphans, "ab-old"), "");
  const then = new Date(Date.now() - 2 * DAY_MS);
  utimesSync(join(orphans, "ab-old"), then, then);
  await prune({});
  expect(readdirSync(orphans)).toEqual(["ab-new"]);
});

test("an abort stops it, and the next time does the rest", async () => {
  await sessionThat("old", { before: "old", daysAgo: 100 });
  await expect(prune({}, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(await sessionsLeft()).toEqual(["old"]);
  await prune({});
  expect(await sessionsLeft()).toEqual([]);
});

test("stores of projects that nobody works on any more go; what is no store stays", async () => {
  const projects = join(directory, "..", "projects");
  const [own, left, used] = ["own", "left", "used"].map((name) => join(projects, name));
  for (const place of [own, left]) await sessionThat("s", { before: "x", daysAgo: 100, place: place ?? "" });
  await sessionThat("s", { before: "x", daysAgo: 1, place: used ?? "" });
  await mkdir(join(projects, "foreign"));
  const aside = { restoreId: "restore-1", name: "src/theirs.txt", content: Buffer.from("a day's work") };
  const sharing = join(projects, "sharing");
  await sessionThat("s", { before: "x", daysAgo: 100, place: sharing });
  await new SnapshotStore({ directory: sharing, newId: () => "1", sessionId: () => "s" }).setAside(aside);
  await removeUnusedStores({
    ...{ projectsDirectory: projects, ownDirectory: own ?? "", nowMs: Date.now() },
    limits: { maxAgeDays: 90, maxBytes: 0 },
  });
  expect(readdirSync(projects).toSorted()).toEqual(["foreign", "own", "sharing", "used"]);
  // What may be somebody else's file is no version of ours.
  expect(readdirSync(sharing)).toEqual(["set-aside"]);
  expect(readdirSync(join(sharing, "set-aside/restore-1/src"))).toEqual(["theirs.txt"]);
});

test("it happens once a day, and not before there is a store", async () => {
  const session = await new MemoryRepo({ now: Date.now }).create({ cwd: "/p" });
  let now = Date.now();
  const work = async () => {
    const limits = { maxAgeDays: 90, maxBytes: 1_000_000 };
    const pruning = new SnapshotPruning({
      ...{ directory, limits, store: storeOf("now"), session, clock: () => now },
    });
    pruning.start();
    await pruning.done();
  };
  await work();
  expect(existsSync(directory)).toBe(false);
  await sessionThat("old", { before: "old", daysAgo: 100 });
  await work();
  expect(await sessionsLeft()).toEqual([]);
  await sessionThat("old", { before: "old", daysAgo: 100 });
  await work();
  expect(await sessionsLeft()).toEqual(["old"]);
  now += 2 * DAY_MS;
  await work();
  expect(await sessionsLeft()).toEqual([]);
});

test("an agent marks its session as used, and a journal of an earlier version is still read", async () => {
  const cwd = join(directory, "..", "project");
  await mkdir(cwd);
  await mkdir(directory);
  const earlier = { id: "1", toolCallId: "c", atMs: 0, path: "/p/a", before: null };
  await writeFile(join(directory, "journal.jsonl"), `${JSON.stringify(earlier)}\n`);
  expect(await storeOf("any").changes()).toEqual([{ ...earlier, after: "unknown" }]);
  const write = scriptedToolCall("write", { path: "a.txt", content: "a" });
  const { agent } = await createScenario({
    ...{ cwd, tools: undefined as never, now: Date.now, snapshots: { directory } },
    environment: createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } }),
    answers: [
      { content: [write] },
      { content: [scriptedText("done")] },
      { content: [scriptedText("again")] },
    ],
  });
  await agent.prompt("go");
  const path = journalPath(directory, agent.session.id);
  expect(await readFile(path, "utf8")).toContain("a.txt");
  utimesSync(path, new Date(0), new Date(0));
  await agent.prompt("more");
  await agent.dispose();
  await prune({});
  expect(existsSync(path)).toBe(true);
});
