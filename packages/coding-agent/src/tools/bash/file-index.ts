import type { Environment } from "../../env/environment.ts";
import type { FileLedger, FileStamp } from "../file-ledger.ts";
import { findFiles } from "../find/find-files.ts";

/** In larger trees a scan after every command would cost more than it tells. */
const MAX_FILES = 5000;
/** Files asked for at once. */
const BATCH_SIZE = 64;
/** Names reported at most. */
const MAX_REPORTED = 100;

export interface FileIndexOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Environment;
  /** Its own reads and writes are no changes of a command. */
  readonly ledger: FileLedger;
}

type Stamps = ReadonlyMap<string, FileStamp>;

/**
 * Tells which files under `cwd` a command changed, by time and size against the state that is kept from the last scan.
 * Ignored files are not seen; trees of more than `MAX_FILES` files are not scanned at all.
 */
export class FileIndex {
  readonly #options: FileIndexOptions;
  #known: Promise<Stamps | undefined> | undefined;

  constructor(options: FileIndexOptions) {
    this.#options = options;
  }

  /** Call before a command; only the first call scans. */
  async prepare(signal: AbortSignal): Promise<void> {
    this.#known ??= this.#scan(signal);
    await this.#known;
  }

  /** Paths relative to `cwd`, sorted, that were made, changed or removed since the last scan. */
  async changes(signal: AbortSignal): Promise<readonly string[]> {
    const before = await this.#known;
    if (before === undefined) return [];
    this.#known = this.#scan(signal);
    const after = await this.#known;
    if (after === undefined) return [];
    const changed = [...after].filter(([path, stamp]) => this.#isChange(path, before.get(path), stamp));
    const removed = [...before.keys()].filter((path) => !after.has(path));
    return [...changed.map(([path]) => path), ...removed].sort().slice(0, MAX_REPORTED);
  }

  #isChange(path: string, before: FileStamp | undefined, after: FileStamp): boolean {
    if (before !== undefined && isSame(before, after)) return false;
    const seen = this.#options.ledger.stampOf(`${this.#options.cwd}/${path}`);
    return seen === undefined || !isSame(seen, after);
  }

  /** Undefined when the tree is too large or cannot be read; the command itself goes on. */
  async #scan(signal: AbortSignal): Promise<Stamps | undefined> {
    const { cwd, environment } = this.#options;
    try {
      const paths: string[] = [];
      await findFiles({ folder: cwd, environment, signal, onFile: (path) => paths.push(path) });
      if (paths.length > MAX_FILES) return undefined;
      const stamps = new Map<string, FileStamp>();
      for (let start = 0; start < paths.length; start += BATCH_SIZE) {
        const batch = paths.slice(start, start + BATCH_SIZE);
        await Promise.all(
          batch.map(async (path) => {
            const info = await environment.files.stat(`${cwd}/${path}`).catch(() => undefined);
            if (info !== undefined) stamps.set(path, info);
          }),
        );
      }
      return stamps;
    } catch {
      return undefined;
    }
  }
}

function isSame(a: FileStamp, b: FileStamp): boolean {
  return a.sizeBytes === b.sizeBytes && a.modifiedAtMs === b.modifiedAtMs;
}
