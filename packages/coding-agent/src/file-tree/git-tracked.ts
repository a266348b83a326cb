import { dirname, join, relative, resolve, sep } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { type FileStamp, isSameStamp } from "./file-stamp.ts";
import type { GitIndex, TrackedFile } from "./git-index.ts";
import { parseGitIndex } from "./parse-git-index.ts";

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

/** File systems and git round times differently. */
const TIME_TOLERANCE_MS = 1;

/** Which files are as git keeps them. Nothing of the repository is run: the index is read as a file. */
export class GitTracked {
  readonly #options: GitTrackedOptions;
  #repository: Repository | undefined;
  #indexStamp: FileStamp | undefined;
  #index: GitIndex | undefined;
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
      const bytes = stamp === undefined ? new Uint8Array() : await files.readFile(this.#repository.indexPath);
      const index = parseGitIndex(bytes);
      if (this.#index !== undefined) {
        for (const [path, file] of index.replacedIn(this.#index)) this.#earlier.set(path, file);
      }
      this.#index = index;
      this.#indexStamp = stamp;
      return true;
    } catch {
      return false;
    }
  }

  /** The object that holds what a file is at a stamp; undefined when git has none. `path` is relative to the directory. */
  objectOf(path: string, stamp: FileStamp): string | undefined {
    const name = `${this.#repository?.prefix ?? ""}${path}`;
    const entry = this.#index?.entryOf(name);
    if (entry !== undefined && this.isClean(entry, stamp)) return this.#index?.fileAt(entry).objectId;
    const earlier = this.#earlier.get(name);
    return earlier !== undefined && isAt(earlier, stamp) ? earlier.objectId : undefined;
  }

  /** Tells every tracked file of the directory in the index's order: its path in the directory, and its entry. */
  visit(tell: (path: string, entry: number) => void): void {
    const prefix = this.#repository?.prefix ?? "";
    let entry = 0;
    for (const path of this.#index?.paths() ?? []) {
      if (path.startsWith(prefix)) tell(path.slice(prefix.length), entry);
      entry++;
    }
  }

  /** Whether a file with a stamp is what an entry keeps. */
  isClean(entry: number, stamp: FileStamp): boolean {
    return this.#index?.isAt(entry, stamp, TIME_TOLERANCE_MS) ?? false;
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

function isAt(file: TrackedFile, { sizeBytes, modifiedAtMs }: FileStamp): boolean {
  return file.sizeBytes === sizeBytes && Math.abs(file.modifiedAtMs - modifiedAtMs) < TIME_TOLERANCE_MS;
}
