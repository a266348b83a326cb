import { createHash } from "node:crypto";
import { SessionError } from "./errors.ts";
import { readChunk } from "./lines.ts";
import { hasCode } from "./node-session-files.ts";
import type { ProcessInfo } from "./process-info.ts";
import type { SessionFiles } from "./session-files.ts";

/** Who writes a session. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  readonly startTime: string;
}

export interface LockOptions {
  readonly files: SessionFiles;
  readonly process: ProcessInfo;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A lock file that says nothing yet is being written; older than this, its writer died. */
const EMPTY_LOCK_MAX_AGE_MS = 5000;
const MAX_LOCK_BYTES = 4096;

/** The right to write one session, held through a file beside it until `release`. */
export class SessionLock {
  readonly #path: string;
  readonly #text: string;
  readonly #files: SessionFiles;

  private constructor(path: string, text: string, files: SessionFiles) {
    this.#path = path;
    this.#text = text;
    this.#files = files;
  }

  /** Takes the lock or rejects with `locked`, naming the owner. A dead owner's lock is taken over. */
  static async take(sessionPath: string, options: LockOptions): Promise<SessionLock> {
    const { process, files } = options;
    const path = lockPath(sessionPath);
    const startTime = (await process.startTimeOf(process.pid)) ?? "unknown";
    const text = JSON.stringify({ pid: process.pid, host: process.host, startTime } satisfies LockOwner);
    if (!(await createWith(files, path, text))) await takeOver(sessionPath, path, text, options);
    return new SessionLock(path, text, files);
  }

  /** Gives the lock back; one that somebody else holds by now is left alone. */
  async release(): Promise<void> {
    if ((await readText(this.#files, this.#path)) === this.#text) await this.#files.remove(this.#path);
  }
}

/** The lock file of a session file. */
export function lockPath(sessionPath: string): string {
  return `${sessionPath}.lock`;
}

async function takeOver(
  sessionPath: string,
  path: string,
  text: string,
  options: LockOptions,
): Promise<void> {
  await refuseLiveOwner(sessionPath, path, options);
  // Only the holder of the guard may replace a stale lock, so that two who saw it stale cannot both succeed.
  const guards = await holdGuards(sessionPath, `${path}.takeover`, text, options);
  try {
    await replaceStale(sessionPath, path, text, options);
  } finally {
    for (const guard of guards) await options.files.remove(guard);
  }
}

/**
 * Resolves with the guards to remove in this order, one's own being the last; rejects when somebody else holds one.
 *
 * A guard whose owner died is never replaced, because two could do so at once: another guard stands for it, named after
 * what it says. Whoever made that one while the first is still what it was is the only one who did.
 */
async function holdGuards(
  sessionPath: string,
  first: string,
  text: string,
  options: LockOptions,
): Promise<readonly string[]> {
  const { files } = options;
  const stale: { readonly path: string; readonly text: string }[] = [];
  let guard = first;
  while (!(await createWith(files, guard, text))) {
    const found = await refuseLiveOwner(sessionPath, guard, options);
    if (found === undefined) throw lockedError(sessionPath);
    stale.push({ path: guard, text: found });
    guard = `${first}-${createHash("sha256").update(`${guard}\n${found}`).digest("hex").slice(0, 8)}`;
  }
  for (const before of stale) {
    if ((await readText(files, before.path)) === before.text) continue;
    await files.remove(guard);
    throw lockedError(sessionPath);
  }
  return [...stale.map(({ path }) => path), guard];
}

/** A lock that is gone by now was given back: whoever makes the next one may have done so, and it must not be removed. */
async function replaceStale(
  sessionPath: string,
  path: string,
  text: string,
  options: LockOptions,
): Promise<void> {
  const stale = await refuseLiveOwner(sessionPath, path, options);
  if (stale !== undefined) await options.files.remove(path);
  if (await createWith(options.files, path, text)) return;
  await refuseLiveOwner(sessionPath, path, options);
  throw lockedError(sessionPath);
}

/** What a lock file says whose owner is gone, undefined when there is none; rejects for a live owner. */
async function refuseLiveOwner(
  sessionPath: string,
  path: string,
  options: LockOptions,
): Promise<string | undefined> {
  const { files, process, now } = options;
  const text = await readText(files, path);
  if (text === undefined) return undefined;
  const owner = parseOwner(text);
  if (owner === undefined) {
    const stat = await files.stat(path);
    if (stat !== undefined && now() - stat.modifiedMs < EMPTY_LOCK_MAX_AGE_MS) {
      throw lockedError(sessionPath);
    }
    return stat === undefined ? undefined : text;
  }
  const isHere = owner.host === process.host;
  if (!isHere || (await process.startTimeOf(owner.pid)) === owner.startTime) {
    throw lockedError(sessionPath, owner, isHere ? "here" : "elsewhere");
  }
  return text;
}

/** Only a person can know whether a process on another host is still there. */
function lockedError(
  sessionPath: string,
  owner?: LockOwner,
  place: "here" | "elsewhere" = "here",
): SessionError {
  const who = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}`;
  const path = lockPath(sessionPath);
  return new SessionError({
    code: "locked",
    message: `${who} is writing the session; its lock is ${path}.`,
    ...(owner === undefined || place === "here"
      ? {}
      : { advice: `If nothing on ${owner.host} writes it any more, delete the lock file.` }),
    data: {
      path: sessionPath,
      lockPath: path,
      ...(owner === undefined
        ? {}
        : { pid: owner.pid, host: owner.host, isOtherHost: place === "elsewhere" }),
    },
  });
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const { pid, host, startTime } = JSON.parse(text) as Partial<LockOwner>;
    const isOwner = Number.isInteger(pid) && typeof host === "string" && typeof startTime === "string";
    return isOwner ? ({ pid, host, startTime } as LockOwner) : undefined;
  } catch {
    return undefined;
  }
}

/** False when there is such a file already. A lock that could not be written whole is taken back. */
async function createWith(files: SessionFiles, path: string, text: string): Promise<boolean> {
  const file = await files.open(path, "create").catch((error: unknown) => {
    if (hasCode(error, "EEXIST")) return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    const bytes = Buffer.from(text);
    const written = await file.append(bytes);
    if (written < bytes.length)
      throw new SessionError({ code: "io", message: `Cannot write ${path}: disk full?` });
    return true;
  } catch (error) {
    await files.remove(path).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

async function readText(files: SessionFiles, path: string): Promise<string | undefined> {
  try {
    const file = await files.open(path, "read");
    try {
      return (await readChunk(file, 0, MAX_LOCK_BYTES)).toString("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
