import { dirname, join, relative, resolve, sep } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { type FileStamp, isSameStamp } from "./file-stamp.ts";
import { parseGitIndex, type TrackedFile } from "./git-index.ts";

export interface GitTrackedOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly files: Pick<FileSystem, "stat" | "readFile">;
}

interface Repository {
  /** The working directory below the root of the repository, with a slash behind it; empty for the root itself. */
  readonly prefix: string;
  readonly indexPath: string;
}

type Tracked = ReadonlyMap<string, TrackedFile>;

/** File systems and git round times differently. */
const TIME_TOLERANCE_MS = 1;

/** Which files are as git keeps them. Nothing of the repository is run: the index is read as a file. */
export class GitTracked {
  readonly #options: GitTrackedOptions;
  #repository: Repository | undefined;
  #indexStamp: FileStamp | undefined;
  #tracked: Tracked = new Map();
  /** What earlier indexes named and this one does not: the objects are still there. */
  readonly #earlier = new Map<string, TrackedFile>();

  constructor(options: GitTrackedOptions) {
    this.#options = options;
  }

  /** Reads the index if it is another one by now; answers whether it was. Never rejects. */
  async refresh(): Promise<boolean> {
    const { files } = this.#options;
    try {
      this.#repository ??= await this.#find();
      if (this.#repository === undefined) return false;
      const stamp = await files.stat(this.#repository.indexPath).catch(() => undefined);
      const known = this.#indexStamp;
      if (stamp === known || (stamp && known && isSameStamp(stamp, known))) return false;
      const tracked =
        stamp === undefined ? new Map() : parseGitIndex(await files.readFile(this.#repository.indexPath));
      for (const [path, file] of this.#tracked) {
        if (tracked.get(path)?.objectId !== file.objectId) this.#earlier.set(path, file);
      }
      this.#tracked = tracked;
      this.#indexStamp = stamp;
      return true;
    } catch {
      return false;
    }
  }

  /** The object that holds what a file is at a stamp; undefined when git has none. `path` is relative to the directory. */
  objectOf(path: string, stamp: FileStamp): string | undefined {
    const name = `${this.#repository?.prefix ?? ""}${path}`;
    return cleanObject(this.#tracked.get(name), stamp) ?? cleanObject(this.#earlier.get(name), stamp);
  }

  /** The repository that the working directory lies in; a worktree's `.git` is a file that names its folder. */
  async #find(): Promise<Repository | undefined> {
    const { cwd, files } = this.#options;
    for (let root = cwd; ; root = dirname(root)) {
      const path = join(root, ".git");
      const info = await files.stat(path).catch(() => undefined);
      const below = relative(root, cwd).split(sep).join("/");
      const prefix = below === "" ? "" : `${below}/`;
      if (info?.kind === "directory") return { prefix, indexPath: join(path, "index") };
      if (info?.kind === "file") {
        const text = Buffer.from(await files.readFile(path)).toString("utf8");
        const folder = /^gitdir: (.+)$/m.exec(text)?.[1];
        return folder === undefined ? undefined : { prefix, indexPath: resolve(root, folder, "index") };
      }
      if (dirname(root) === root) return undefined;
    }
  }
}

function cleanObject(tracked: TrackedFile | undefined, stamp: FileStamp): string | undefined {
  const isClean =
    tracked !== undefined &&
    tracked.sizeBytes === stamp.sizeBytes &&
    Math.abs(tracked.modifiedAtMs - stamp.modifiedAtMs) < TIME_TOLERANCE_MS;
  return isClean ? tracked.objectId : undefined;
}
