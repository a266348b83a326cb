import { constants, type Stats } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { FileInfo, FileSystem } from "./environment.ts";

/** Links followed by hand before a chain counts as a loop (the limit of Linux). */
const MAX_LINKS = 40;

/** The local disk. `newSuffix` names temporary files and must not repeat. */
export function createLocalFiles(options: { readonly newSuffix: () => string }): FileSystem {
  return {
    stat: async (path) => toFileInfo(await stat(path)),
    readFile: (path) => readFile(path),
    readRange,
    writeFile: (path, data) => writeAtomically(path, data, options.newSuffix()),
    readDirectory: async (path) => {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    },
    realPath: (path) => resolveLinks(path, MAX_LINKS),
    remove: (path) => rm(path),
    setMode: (path, mode) => chmod(path, mode),
  };
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): FileInfo["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

function toFileInfo(stats: Stats): FileInfo {
  return {
    kind: kindOf(stats),
    sizeBytes: Number(stats.size),
    modifiedAtMs: Number(stats.mtimeMs),
    changedAtMs: Number(stats.ctimeMs),
    mode: Number(stats.mode) & 0o7777,
  };
}

async function readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
  // Non-blocking: a FIFO that took the place of a file must not hang the process.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** Writes beside the target and renames, so that a crash leaves the old or the new content, never a mix. */
async function writeAtomically(path: string, data: Uint8Array, suffix: string): Promise<void> {
  const target = await resolveLinks(path, MAX_LINKS);
  await mkdir(dirname(target), { recursive: true });
  const existing = await statOrUndefined(target);
  if (existing?.isDirectory()) throw fileError("EISDIR", "is a directory", target);
  if (existing !== undefined && !existing.isFile())
    throw fileError("EINVAL", "is not a regular file", target);
  if (existing !== undefined) await requireWritable(target);
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${suffix}.tmp`);
  try {
    const handle = await open(temporary, "wx", existing === undefined ? 0o666 : 0o600);
    try {
      await handle.writeFile(data);
      if (existing !== undefined) await handle.chmod(Number(existing.mode) & 0o7777);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A rename would succeed on a read-only file; the mode says that its owner does not want that. */
async function requireWritable(path: string): Promise<void> {
  const handle = await open(path, "r+");
  await handle.close();
}

async function statOrUndefined(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** `realpath` for paths whose end may not exist yet, also through dangling links. */
async function resolveLinks(path: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const absolute = resolve(path);
  const parent = dirname(absolute);
  if (parent === absolute) return absolute;
  const place = join(await resolveLinks(parent, linksLeft), basename(absolute));
  const link = await linkTarget(place);
  if (link === undefined) return place;
  if (linksLeft === 0) throw fileError("ELOOP", "too many symbolic links", path);
  return resolveLinks(resolve(dirname(place), link), linksLeft - 1);
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function fileError(code: string, what: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${what}, '${path}'`), { code, path });
}
