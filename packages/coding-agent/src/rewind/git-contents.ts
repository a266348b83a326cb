import { dirname, join, relative, resolve, sep } from "node:path";
import type { FileSystem, Shell } from "../env/environment.ts";
import type { FileStamp } from "../tools/file-ledger.ts";
import type { KeptElsewhere } from "./change-recorder.ts";
import { parseGitIndex, type TrackedFile } from "./git-index.ts";

export interface GitContentsOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly files: Pick<FileSystem, "stat" | "readFile">;
  readonly shell: Shell;
}

interface Repository {
  /** The working directory below the root of the repository, with a slash behind it; empty for the root itself. */
  readonly prefix: string;
  readonly indexPath: string;
}

const READ_LIMIT_MS = 5000;
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
/** File systems and git round times differently. */
const TIME_TOLERANCE_MS = 1;

/**
 * The contents that git keeps of the files that are clean. Nothing of the repository is run: the index is read as a file,
 * and one object is asked for by its id, without fetching it from elsewhere.
 */
export class GitContents implements KeptElsewhere {
  readonly #options: GitContentsOptions;
  #repository: Repository | undefined;
  #indexStamp: FileStamp | undefined;
  #tracked: ReadonlyMap<string, TrackedFile> = new Map();

  constructor(options: GitContentsOptions) {
    this.#options = options;
  }

  async refresh(): Promise<void> {
    const { files } = this.#options;
    this.#repository ??= await this.#find();
    if (this.#repository === undefined) return;
    const stamp = await files.stat(this.#repository.indexPath).catch(() => undefined);
    const known = this.#indexStamp;
    if (stamp?.sizeBytes === known?.sizeBytes && stamp?.modifiedAtMs === known?.modifiedAtMs) return;
    this.#indexStamp = stamp;
    this.#tracked =
      stamp === undefined ? new Map() : parseGitIndex(await files.readFile(this.#repository.indexPath));
  }

  holds(path: string, stamp: FileStamp): boolean {
    return this.#objectOf(path, stamp) !== undefined;
  }

  async read(path: string, stamp: FileStamp): Promise<Uint8Array | undefined> {
    const { cwd, shell } = this.#options;
    const objectId = this.#objectOf(path, stamp);
    if (objectId === undefined) return undefined;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const command = `GIT_NO_LAZY_FETCH=1 GIT_OPTIONAL_LOCKS=0 git cat-file blob ${objectId} 2>/dev/null`;
    const { exitCode } = await shell.run(command, {
      cwd,
      signal: new AbortController().signal,
      timeoutMs: READ_LIMIT_MS,
      onOutput: (chunk) => {
        bytes += chunk.length;
        if (bytes <= MAX_CONTENT_BYTES) chunks.push(chunk.slice());
      },
    });
    // Another size: the repository converts what it checks out, so that the object is not what the file held.
    return exitCode === 0 && bytes === stamp.sizeBytes ? Buffer.concat(chunks) : undefined;
  }

  #objectOf(path: string, stamp: FileStamp): string | undefined {
    const tracked = this.#tracked.get(`${this.#repository?.prefix ?? ""}${path}`);
    const isClean =
      tracked !== undefined &&
      tracked.sizeBytes === stamp.sizeBytes &&
      Math.abs(tracked.modifiedAtMs - stamp.modifiedAtMs) < TIME_TOLERANCE_MS;
    return isClean ? tracked.objectId : undefined;
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
