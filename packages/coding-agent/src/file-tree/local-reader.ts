import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import type { FileStamp } from "./file-stamp.ts";
import type { FolderEntry, FolderReader } from "./folder-reader.ts";

/** Reads the local disk by synchronous calls: for tens of thousands of files that takes a tenth of the time of as many others. */
export const localReader: FolderReader = {
  entries(folder) {
    try {
      return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: kindOf(entry),
      }));
    } catch {
      return undefined;
    }
  },
  stamps(folder, names) {
    const stamps = new Map<string, FileStamp>();
    for (const name of names) {
      const stats = statsOf(`${folder}/${name}`);
      if (stats?.isFile() === true) stamps.set(name, stampOf(stats));
    }
    return stamps;
  },
  look(folder, name) {
    const stats = statsOf(`${folder}/${name}`);
    return stats === undefined ? undefined : { kind: kindOf(stats), stamp: stampOf(stats) };
  },
  text(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  },
};

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
