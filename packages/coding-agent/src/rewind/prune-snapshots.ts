import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { EarlierState } from "./file-state.ts";
import { journalLines, journalPaths, setAsidePath } from "./snapshot-files.ts";
import type { SnapshotLimits } from "./snapshot-limits.ts";

export interface PruneOptions {
  /** Absolute; the store of one project. */
  readonly directory: string;
  readonly limits: SnapshotLimits;
  /** Ids of the calls and restorations that must stay possible to take back; asked only when something is to go. */
  readonly reachable: () => Promise<ReadonlySet<string>>;
  /** Unix milliseconds by the clock of the file system. */
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** What was written or used in this time may belong to a session that runs elsewhere. */
const IN_USE_MS = DAY_MS;

interface Journal {
  readonly path: string;
  readonly usedAtMs: number;
  readonly hashes: ReadonlySet<string>;
  readonly callIds: ReadonlySet<string>;
}

interface Blob {
  readonly path: string;
  readonly sizeBytes: number;
  readonly writtenAtMs: number;
}

/**
 * Takes away the journals of sessions that are over the limits, and the versions that no journal names any more.
 *
 * Never what `reachable` names, what was used within a day, or anything outside of the store. Rejects on abort; what is
 * left then goes the next time.
 */
export async function pruneSnapshots(options: PruneOptions): Promise<void> {
  const { directory, signal, nowMs } = options;
  const journals = await readJournals(directory);
  const blobs = await readBlobs(directory);
  const gone = await journalsToGo(journals, blobs, options);
  for (const { path } of gone) {
    signal.throwIfAborted();
    await rm(path, { force: true });
  }
  const named = new Set(journals.filter((one) => !gone.includes(one)).flatMap(({ hashes }) => [...hashes]));
  for (const [hash, blob] of blobs) {
    if (named.has(hash) || nowMs - blob.writtenAtMs < IN_USE_MS) continue;
    signal.throwIfAborted();
    await rm(blob.path, { force: true });
  }
}

/** Takes away the stores of other projects that nobody used for longer than the limit. */
export async function removeUnusedStores(options: {
  /** Absolute; the folder of the stores of all projects. */
  readonly projectsDirectory: string;
  /** Absolute; the one that stays in any case. */
  readonly ownDirectory: string;
  readonly limits: SnapshotLimits;
  readonly nowMs: number;
}): Promise<void> {
  const { projectsDirectory, ownDirectory, limits, nowMs } = options;
  for (const name of await readdir(projectsDirectory).catch(() => [])) {
    const directory = join(projectsDirectory, name);
    if (directory === ownDirectory) continue;
    const journals = await readJournals(directory);
    const usedAtMs = Math.max(...journals.map((journal) => journal.usedAtMs));
    // Without a journal it is none of ours.
    if (journals.length === 0 || nowMs - usedAtMs <= limits.maxAgeDays * DAY_MS) continue;
    await removeStore(directory);
  }
}

/** All but the files that were set aside: those may be somebody's. */
async function removeStore(directory: string): Promise<void> {
  const kept = setAsidePath(directory);
  const names = (await readdir(directory)).map((name) => join(directory, name));
  for (const path of names) if (path !== kept) await rm(path, { recursive: true, force: true });
  if (!names.includes(kept)) await rm(directory, { recursive: true, force: true });
}

async function journalsToGo(
  journals: readonly Journal[],
  blobs: ReadonlyMap<string, Blob>,
  { limits, nowMs, reachable }: PruneOptions,
): Promise<readonly Journal[]> {
  const users = new Map<string, number>();
  for (const hash of journals.flatMap(({ hashes }) => [...hashes])) {
    users.set(hash, (users.get(hash) ?? 0) + 1);
  }
  let bytes = [...users.keys()].reduce((sum, hash) => sum + (blobs.get(hash)?.sizeBytes ?? 0), 0);
  const gone: Journal[] = [];
  let needed: ReadonlySet<string> | undefined;
  for (const journal of journals.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    const ageMs = nowMs - journal.usedAtMs;
    const isOver = ageMs > limits.maxAgeDays * DAY_MS || bytes > limits.maxBytes;
    if (!isOver || ageMs < IN_USE_MS) continue;
    needed ??= await reachable();
    if (needed.size > 0 && [...journal.callIds].some((id) => needed?.has(id))) continue;
    gone.push(journal);
    for (const hash of journal.hashes) {
      const left = (users.get(hash) ?? 0) - 1;
      users.set(hash, left);
      if (left === 0) bytes -= blobs.get(hash)?.sizeBytes ?? 0;
    }
  }
  return gone;
}

async function readJournals(directory: string): Promise<readonly Journal[]> {
  const journals: Journal[] = [];
  for (const path of await journalPaths(directory)) {
    const info = await stat(path).catch(() => undefined);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (info === undefined || text === undefined) continue;
    const [hashes, callIds] = [new Set<string>(), new Set<string>()];
    const add = (state: EarlierState) => {
      if (state !== null && state !== "unknown") hashes.add(state.hash);
    };
    for (const line of journalLines(text)) {
      if ("kept" in line) hashes.add(line.kept);
      else if ("path" in line) {
        callIds.add(line.toolCallId);
        add(line.before);
      } else add(line.after);
    }
    journals.push({ path, usedAtMs: info.mtimeMs, hashes, callIds });
  }
  return journals;
}

async function readBlobs(directory: string): Promise<ReadonlyMap<string, Blob>> {
  const blobs = new Map<string, Blob>();
  const root = join(directory, "blobs");
  for (const folder of await readdir(root).catch(() => [])) {
    for (const name of await readdir(join(root, folder)).catch(() => [])) {
      const path = join(root, folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info !== undefined) blobs.set(name, { path, sizeBytes: info.size, writtenAtMs: info.mtimeMs });
    }
  }
  return blobs;
}
