import { constants, fstatSync, readSync, writeSync } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { OpenMode, SessionFile, SessionFiles } from "./session-files.ts";

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** Up to here a copy from or to the system's memory costs less than handing it to another thread. */
const MAX_DIRECT_BYTES = 256 * 1024;
/** Some calls go to another thread all the same: a loop of awaited ones would otherwise keep timers and signals waiting. */
const DIRECT_IN_A_ROW = 32;

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;

const OPEN_FLAGS: Readonly<Record<OpenMode, number>> = {
  read: O_RDONLY,
  append: O_RDWR | O_APPEND,
  create: O_RDWR | O_APPEND | O_CREAT | O_EXCL,
};

class NodeSessionFile implements SessionFile {
  readonly #handle: FileHandle;
  #calls = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    if (this.#isDirect(buffer)) return readSync(this.#handle.fd, buffer, 0, buffer.length, position);
    return (await this.#handle.read(buffer, 0, buffer.length, position)).bytesRead;
  }

  async append(bytes: Uint8Array): Promise<number> {
    if (this.#isDirect(bytes)) return writeSync(this.#handle.fd, bytes);
    return (await this.#handle.write(bytes)).bytesWritten;
  }

  #isDirect({ length }: Uint8Array): boolean {
    this.#calls++;
    return length <= MAX_DIRECT_BYTES && this.#calls % DIRECT_IN_A_ROW !== 0;
  }

  async size(): Promise<number> {
    // The size of an open file is in memory: asking for it costs less than handing the question to another thread.
    return fstatSync(this.#handle.fd).size;
  }

  truncate(length: number): Promise<void> {
    return this.#handle.truncate(length);
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** The local file system. */
export const nodeSessionFiles: SessionFiles = {
  async open(path, mode) {
    return new NodeSessionFile(await open(path, OPEN_FLAGS[mode], FILE_MODE));
  },
  makeDirectory,
  async list(path) {
    try {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return [];
      throw error;
    }
  },
  rename,
  link,
  async remove(path) {
    await rm(path, { force: true });
  },
  async stat(path) {
    try {
      const found = await stat(path);
      return { isFile: found.isFile(), sizeBytes: found.size, modifiedMs: found.mtimeMs };
    } catch (error) {
      if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
      throw error;
    }
  },
};

/**
 * Node's own way of making parents never returns where the system says that nothing can be found in a folder that is
 * there, as `/proc` does (Node 24.21).
 */
async function makeDirectory(path: string): Promise<void> {
  const error: unknown = await mkdir(path, { mode: DIRECTORY_MODE }).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (error === undefined || (await isDirectory(path))) return;
  const parent = dirname(path);
  if (!hasCode(error, "ENOENT") || (await isDirectory(parent))) throw error;
  await makeDirectory(parent);
  await makeDirectory(path);
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** True for a system error with the given code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
