import type { FileSystem } from "../env/environment.ts";
import type { FileStamp } from "./file-stamp.ts";

/** What a name stands for; links are `other`, and never followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}

/** A value, or one that comes later. */
export type Soon<Value> = Value | Promise<Value>;

/** How a tree is read. Folders are absolute; nothing throws or rejects: what cannot be read is not there. */
export interface FolderReader {
  /** Undefined = no folder that can be read. */
  entries(folder: string): Soon<readonly FolderEntry[] | undefined>;
  /** The files of these names that are there; the answer belongs to who asked. */
  stamps(folder: string, names: readonly string[]): Soon<Map<string, FileStamp>>;
  /** What a name stands for now, with the stamp of a file. */
  look(
    folder: string,
    name: string,
  ): Soon<{ readonly kind: FolderEntry["kind"]; readonly stamp: FileStamp } | undefined>;
  text(path: string): Soon<string>;
}

/** Files asked for at once. */
const BATCH_SIZE = 64;

/** Reads through the port of an environment, file by file. */
export function portReader(files: FileSystem): FolderReader {
  const kindOf = (kind: string): FolderEntry["kind"] =>
    kind === "file" ? "file" : kind === "directory" ? "folder" : "other";
  const entries = async (folder: string) => {
    const found = await files.readDirectory(folder).catch(() => undefined);
    return found?.map(({ name, kind }) => ({ name, kind: kindOf(kind) }));
  };
  return {
    entries,
    async stamps(folder, names) {
      const stamps = new Map<string, FileStamp>();
      for (let start = 0; start < names.length; start += BATCH_SIZE) {
        const batch = names.slice(start, start + BATCH_SIZE);
        await Promise.all(
          batch.map(async (name) => {
            const info = await files.stat(`${folder}/${name}`).catch(() => undefined);
            if (info !== undefined) stamps.set(name, info);
          }),
        );
      }
      return stamps;
    },
    async look(folder, name) {
      const entry = (await entries(folder))?.find((one) => one.name === name);
      const stamp = await files.stat(`${folder}/${name}`).catch(() => undefined);
      return entry === undefined || stamp === undefined ? undefined : { kind: entry.kind, stamp };
    },
    text: async (path) =>
      files.readFile(path).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => "",
      ),
  };
}
