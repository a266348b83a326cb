import {
  close,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncate,
  open,
  openSync,
  read,
  readSync,
  statSync,
  write,
  writeSync,
} from "node:fs";
import { link, mkdir, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { OpenMode, SessionFile, SessionFiles } from "./session-files.ts";

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** Up to here a copy from or to the system's memory costs less than handing it to another thread. */
const MAX_DIRECT_BYTES = 256 * 1024;
/** After so many calls it is asked whether timers and signals were kept waiting by a loop of awaited ones. */
const DIRECT_IN_A_ROW = 32;
/** So long they may wait; then a call goes to another thread, and they have their turn. */
const MAX_ROW_MS = 10;
const NONE = -1;

const onThread = {
  open: promisify(open),
  read: promisify(read),
  write: promisify(write),
  truncate: promisify(ftruncate),
  sync: promisify(fdatasync),
  close: promisify(close),
};

let calls = 0;
let lastTurnMs = 0;

/** True when a call may be made here and now: the first ones in a process would also wait for threads to start. */
function isDirect(bytes = 0): boolean {
  if (bytes > MAX_DIRECT_BYTES) return false;
  calls++;
  if (calls % DIRECT_IN_A_ROW !== 0) return true;
  const nowMs = Date.now();
  // A clock that was set back must not put the turn off.
  if (Math.abs(nowMs - lastTurnMs) < MAX_ROW_MS) return true;
  lastTurnMs = nowMs;
  return false;
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;

const OPEN_FLAGS: Readonly<Record<OpenMode, number>> = {
  read: O_RDONLY,
  append: O_RDWR | O_APPEND,
  create: O_RDWR | O_APPEND | O_CREAT | O_EXCL,
};

/** An open file by its descriptor: a handle of `node:fs/promises` cannot be had without another thread. */
class NodeSessionFile implements SessionFile {
  /** -1 once closed: the system gives the same number to the next file. */
  #descriptor: number;
  #writtenBytes = 0;
  readonly #running = new Set<Promise<unknown>>();

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    const { length } = buffer;
    if (isDirect(length)) return readSync(this.#descriptor, buffer, 0, length, position);
    return (await this.#run(onThread.read(this.#descriptor, buffer, 0, length, position))).bytesRead;
  }

  async append(bytes: Uint8Array): Promise<number> {
    this.#writtenBytes += bytes.length;
    if (isDirect(bytes.length)) return writeSync(this.#descriptor, bytes);
    return (await this.#run(onThread.write(this.#descriptor, bytes))).bytesWritten;
  }

  async size(): Promise<number> {
    // The size of an open file is in memory: asking for it costs less than handing the question to another thread.
    return fstatSync(this.#descriptor).size;
  }

  async truncate(length: number): Promise<void> {
    await this.#run(onThread.truncate(this.#descriptor, length));
  }

  async sync(): Promise<void> {
    await this.#run(onThread.sync(this.#descriptor));
  }

  /** Waits for calls under way, whose descriptor must not become another file's. */
  async close(): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === NONE) return;
    this.#descriptor = NONE;
    if (this.#running.size > 0) await Promise.allSettled(this.#running);
    // A system that keeps files elsewhere may only now send what was written.
    if (isDirect(this.#writtenBytes)) closeSync(descriptor);
    else await onThread.close(descriptor);
  }

  async #run<Value>(call: Promise<Value>): Promise<Value> {
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }
}

/** The local file system. */
export const nodeSessionFiles: SessionFiles = {
  async open(path, mode) {
    const flags = OPEN_FLAGS[mode];
    return new NodeSessionFile(
      isDirect() ? openSync(path, flags, FILE_MODE) : await onThread.open(path, flags, FILE_MODE),
    );
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
    try {
      await unlink(path);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
  },
  async stat(path) {
    try {
      const found = isDirect() ? statSync(path, { throwIfNoEntry: false }) : await stat(path);
      if (found === undefined) return undefined;
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
  const error = await makeOne(path);
  if (error === undefined) return;
  if (!hasCode(error, "ENOENT")) throw error;
  const parent = dirname(path);
  if (!(await isDirectory(parent))) await makeDirectory(parent);
  // Another may have made the parent since; a folder that still cannot be found there never will be.
  const again = await makeOne(path);
  if (again !== undefined) throw again;
}

/** Why there is no such folder now; undefined = there is. */
async function makeOne(path: string): Promise<unknown> {
  try {
    await mkdir(path, { mode: DIRECTORY_MODE });
    return undefined;
  } catch (error) {
    return (await isDirectory(path)) ? undefined : error;
  }
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
