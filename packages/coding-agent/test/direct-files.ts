import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import type { AnyEntry, OpenMode, SessionFile, SessionFiles } from "@coppice/session";

/** One write of a session file. */
export interface Append {
  readonly path: string;
  /** Where it begins, in bytes. */
  readonly at: number;
  readonly text: string;
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;
const OPEN_FLAGS: Readonly<Record<OpenMode, number>> = {
  read: O_RDONLY,
  append: O_RDWR | O_APPEND,
  create: O_RDWR | O_APPEND | O_CREAT | O_EXCL,
};

/**
 * The disk without threads, so that a virtual clock stands still while something is written; every append is recorded.
 */
export class DirectFiles implements SessionFiles {
  readonly appends: Append[] = [];

  async open(path: string, mode: OpenMode): Promise<SessionFile> {
    const descriptor = openSync(path, OPEN_FLAGS[mode], 0o600);
    return {
      read: async (buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
      append: async (bytes) => {
        const at = fstatSync(descriptor).size;
        this.appends.push({ path, at, text: Buffer.from(bytes).toString("utf8") });
        return writeSync(descriptor, bytes);
      },
      size: async () => fstatSync(descriptor).size,
      truncate: async (length) => ftruncateSync(descriptor, length),
      sync: async () => {},
      close: async () => closeSync(descriptor),
    };
  }

  async makeDirectory(path: string): Promise<void> {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  async list(path: string): ReturnType<SessionFiles["list"]> {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  }

  async rename(from: string, to: string): Promise<void> {
    renameSync(from, to);
  }

  async link(from: string, to: string): Promise<void> {
    linkSync(from, to);
  }

  async remove(path: string): Promise<void> {
    rmSync(path, { force: true });
  }

  async stat(path: string): ReturnType<SessionFiles["stat"]> {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && { isFile: found.isFile(), sizeBytes: found.size, modifiedMs: found.mtimeMs };
  }
}

/** The entries that an append wrote, the header and locks left out. */
export function entriesIn(text: string): readonly AnyEntry[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as AnyEntry)
    .filter(({ type, id }) => type !== undefined && type !== "session" && id !== undefined);
}
