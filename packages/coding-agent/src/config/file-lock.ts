import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { CodingAgentError } from "../errors.ts";
import type { Sleep } from "../sleep.ts";

export interface FileLockOptions {
  readonly sleep: Sleep;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Changes take milliseconds; a lock this old belongs to a process that died in one. */
const STALE_AFTER_MS = 10_000;
const WAIT_MS = 25;
const MOST_WAITS = 600;

/** Runs `work` while no other process holds `<path>.lock`. Throws `config_locked` after about 15 seconds of waiting. */
export async function withFileLock<Result>(
  path: string,
  options: FileLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.lock`;
  const token = randomUUID();
  for (let waits = 0; !(await take(lock, token)); waits++) {
    if (waits === MOST_WAITS) {
      throw new CodingAgentError({
        code: "config_locked",
        message: `${path} is being changed by another process; ${lock} is held.`,
        data: { path },
      });
    }
    if (!(await removeStale(lock, token, options)))
      await options.sleep(WAIT_MS, new AbortController().signal);
  }
  try {
    return await work();
  } finally {
    // Somebody may have taken it for stale, if this process slept for long.
    if ((await readFile(lock, "utf8").catch(() => undefined)) === token) await rm(lock, { force: true });
  }
}

async function take(lock: string, token: string): Promise<boolean> {
  try {
    const handle = await open(lock, "wx", 0o600);
    try {
      await handle.writeFile(token);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** A rename decides between two that both see a lock as stale. */
async function removeStale(lock: string, token: string, { now }: FileLockOptions): Promise<boolean> {
  const age = async (file: string) => now() - (await stat(file)).mtimeMs;
  try {
    if ((await age(lock)) < STALE_AFTER_MS) return false;
    const aside = `${lock}.${token}`;
    await rename(lock, aside);
    const isStale = (await age(aside)) >= STALE_AFTER_MS;
    if (isStale) await rm(aside, { force: true });
    else await rename(aside, lock);
    return isStale;
  } catch {
    // Gone meanwhile: the next attempt to take it tells.
    return true;
  }
}
