import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CodingAgentError, messageOf } from "../errors.ts";
import type { ConfigFiles, UpdateOptions } from "./config-files.ts";
import { withFileLock } from "./file-lock.ts";

export interface LocalConfigFilesOptions {
  /** How long to wait for another process that changes the file; default 15,000. */
  readonly lockWaitMs?: number;
}

const LOCK_WAIT_MS = 15_000;

/** Config files on this machine. Folders are made 0700; files are replaced at once, links written through. */
export function createLocalConfigFiles(options: LocalConfigFilesOptions = {}): ConfigFiles {
  const { lockWaitMs = LOCK_WAIT_MS } = options;
  return {
    read,
    async update(path, change, updateOptions = {}) {
      await wrapped("config_unwritable", path, () => mkdir(dirname(path), { recursive: true, mode: 0o700 }));
      // The lock belongs to the file itself, whichever of its names is used.
      const target = await realpath(path).catch(() => path);
      await withFileLock(target, { waitMs: lockWaitMs }, async (assertHeld) => {
        const before = await read(target);
        const after = await change(before);
        if (after === undefined || after === before) return;
        assertHeld();
        await wrapped("config_unwritable", path, () => replace(target, after, updateOptions));
      });
    },
  };
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
    throw failure("config_unreadable", path, error);
  }
}

async function replace(
  path: string,
  text: string,
  { mode = 0o644, isPrivate = false }: UpdateOptions,
): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  // A rename would replace a file that its owner made read-only.
  if (existing !== undefined) await (await open(path, "r+")).close();
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const handle = await open(aside, "w", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(aside, isPrivate ? 0o600 : existing === undefined ? mode : existing.mode & 0o777);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

async function wrapped(code: "config_unwritable", path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw failure(code, path, error);
  }
}

function failure(
  code: "config_unreadable" | "config_unwritable",
  path: string,
  cause: unknown,
): CodingAgentError {
  const what = code === "config_unreadable" ? "read" : "written";
  return new CodingAgentError({
    code,
    message: `${path} could not be ${what}: ${messageOf(cause)}`,
    cause,
    data: { path },
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
