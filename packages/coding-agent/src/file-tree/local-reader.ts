import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import type { FileStamp } from "./file-stamp.ts";
import type { FolderEntry, FolderReader } from "./folder-reader.ts";

/** Reads the local disk by synchronous calls: for tens of thousands of files that takes a tenth of the time of as many others. */
export const localReader = {
  entries(folder: string): readonly FolderEntry[] | undefined {
    try {
      return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: kindOf(entry),
      }));
    } catch {
      return undefined;
    }
  },
  stamps(folder: string, names: readonly string[]): Map<string, FileStamp> {
    const stamps = new Map<string, FileStamp>();
    for (const name of names) {
      const stamp = localReader.stamp(folder, name);
      if (stamp !== undefined) stamps.set(name, stamp);
    }
    return stamps;
  },
  /** Undefined = there is no file of this name. */
  stamp(folder: string, name: string): FileStamp | undefined {
    const stats = statsOf(`${folder}/${name}`);
    return stats?.isFile() === true ? stampOf(stats) : undefined;
  },
  look(folder: string, name: string) {
    const stats = statsOf(`${folder}/${name}`);
    return stats === undefined ? undefined : { kind: kindOf(stats), stamp: stampOf(stats) };
  },
  text(path: string): string {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  },
} satisfies FolderReader & { readonly stamp: unknown };

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): FolderEntry["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function stampOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): FileStamp {
  return {
    sizeBytes: size,
    modifiedAtMs: mtimeMs,
    changedAtMs: ctimeMs,
    inode: ino,
    mode: mode & 0o7777,
  };
}
