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

/** `too large` stays so; undefined is a scan that was stopped or failed, which the next command makes up for. */
type Scan = ReadonlyMap<string, FileStamp> | "too large" | undefined;

/**
 * Tells which files under `cwd` a command changed, by time and size against the state that is kept from the last scan.
 * Ignored files are not seen; trees of more than `MAX_FILES` files are not scanned at all.
 */
export class FileIndex {
  readonly #options: FileIndexOptions;
  #known: Scan;

  constructor(options: FileIndexOptions) {
    this.#options = options;
  }

  /** Call before a command; scans unless the state is known. */
  async prepare(signal: AbortSignal): Promise<void> {
    this.#known ??= await this.#scan(signal);
  }

  /** Paths relative to `cwd`, sorted, that were made, changed or removed since the last scan. */
  async changes(signal: AbortSignal): Promise<readonly string[]> {
    const before = this.#known;
    if (before === "too large" || before === undefined) return [];
    const after = await this.#scan(signal);
    this.#known = after;
    if (after === "too large" || after === undefined) return [];
    const changed = [...after].filter(([path, stamp]) => this.#isChange(path, before.get(path), stamp));
    const removed = [...before.keys()].filter((path) => !after.has(path));
    return [...changed.map(([path]) => path), ...removed].sort().slice(0, MAX_REPORTED);
  }

  #isChange(path: string, before: FileStamp | undefined, after: FileStamp): boolean {
    if (before !== undefined && isSame(before, after)) return false;
    const seen = this.#options.ledger.stampOf(`${this.#options.cwd}/${path}`);
    return seen === undefined || !isSame(seen, after);
  }

  /** Never rejects: without it the command itself goes on. */
  async #scan(signal: AbortSignal): Promise<Scan> {
    const { cwd, environment } = this.#options;
    try {
      const paths: string[] = [];
      await findFiles({ folder: cwd, environment, signal, onFile: (path) => paths.push(path) });
      if (paths.length > MAX_FILES) return "too large";
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
