import type { Environment } from "../../env/environment.ts";
import type { CommandChange } from "../change-observer.ts";
import type { FileLedger, FileStamp } from "../file-ledger.ts";
import { findFiles } from "../find/find-files.ts";

/** In larger trees a scan after every command would cost more than it tells. */
const MAX_FILES = 60_000;
/** The same where files are asked for one by one. */
const MAX_FILES_ONE_BY_ONE = 5000;
/** A command must not wait longer than this for the look at what it changed, three times in a row. */
const MAX_SCAN_MS = 250;
const MOST_SLOW_SCANS = 3;
/** Files asked for at once. */
const BATCH_SIZE = 64;
/** File systems keep time in steps. */
const CLOCK_STEP_MS = 20;

export interface FileIndexOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Environment;
  /** Its own reads and writes are no changes of a command. */
  readonly ledger: FileLedger;
  /** Unix milliseconds by the clock of the file system; default: this machine's. */
  readonly clock?: () => number;
}

const NOTHING: ReadonlyMap<string, FileStamp> = new Map();

/** By path relative to `cwd`. `too large` stays so; undefined is a scan that was stopped or failed, which the next command makes up for. */
type Scan = ReadonlyMap<string, FileStamp> | "too large" | undefined;

/**
 * Tells which files under `cwd` a command changed, by time and size against the state that is kept from the last scan.
 * Ignored files are not seen; trees of too many files are not scanned at all.
 */
export class FileIndex {
  readonly #options: FileIndexOptions;
  #known: Scan;
  #commandStartedMs = 0;
  #slowScans = 0;

  constructor(options: FileIndexOptions) {
    this.#options = options;
  }

  /**
   * Call before a command; scans unless the state is known. `isExact`: scans in any case, so that what somebody else
   * changed since the last command is not taken for what the next one found.
   */
  async prepare(signal: AbortSignal, { isExact }: { readonly isExact: boolean }): Promise<void> {
    if (this.#known === undefined || (isExact && this.#known !== "too large")) {
      this.#known = await this.#timedScan(signal);
    }
    this.#commandStartedMs = this.#now();
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)();
  }

  /** A large tree that is slow to look through again and again is too large. */
  async #timedScan(signal: AbortSignal): Promise<Scan> {
    const start = this.#now();
    const scan = await this.#scan(signal);
    const isLarge = typeof scan === "object" && scan.size > MAX_FILES_ONE_BY_ONE;
    this.#slowScans = isLarge && this.#now() - start > MAX_SCAN_MS ? this.#slowScans + 1 : 0;
    return this.#slowScans >= MOST_SLOW_SCANS ? "too large" : scan;
  }

  /** The state before the command, by path relative to `cwd`; empty where it is not known. */
  get known(): ReadonlyMap<string, FileStamp> {
    return typeof this.#known === "object" ? this.#known : NOTHING;
  }

  /** What was made, changed or removed while the command ran, sorted by path. */
  async changes(signal: AbortSignal): Promise<readonly CommandChange[]> {
    const before = this.#known;
    if (before === "too large" || before === undefined) return [];
    const after = await this.#timedScan(signal);
    this.#known = after;
    if (after === "too large" || after === undefined) return [];
    const changed = [...after].filter(([path, stamp]) => this.#isChange(path, before.get(path), stamp));
    const removed = [...before.keys()].filter((path) => !after.has(path));
    return [...changed.map(([path]) => path), ...removed]
      .sort()
      .map((path) => ({ path, before: before.get(path), after: after.get(path) }));
  }

  /** What somebody else changed before the command began is not its doing. */
  #isChange(path: string, before: FileStamp | undefined, after: FileStamp): boolean {
    if (before !== undefined && isSame(before, after)) return false;
    if ((after.changedAtMs ?? Number.POSITIVE_INFINITY) < this.#commandStartedMs - CLOCK_STEP_MS)
      return false;
    const seen = this.#options.ledger.stampOf(`${this.#options.cwd}/${path}`);
    return seen === undefined || !isSame(seen, after);
  }

  /** Never rejects: without it the command itself goes on. */
  async #scan(signal: AbortSignal): Promise<Scan> {
    const { cwd, environment } = this.#options;
    try {
      const paths: string[] = [];
      const found = findFiles({ folder: cwd, environment, signal, onFile: (path) => paths.push(path) });
      const { statAll } = environment.files;
      // While the names are looked for, most of them are known already.
      const [early = NOTHING] = await Promise.all([statAll?.(cwd, [...this.known.keys()]), found]);
      if (paths.length > (statAll === undefined ? MAX_FILES_ONE_BY_ONE : MAX_FILES)) return "too large";
      if (statAll === undefined) return await this.#oneByOne(paths);
      const late = await statAll(
        cwd,
        paths.filter((path) => !early.has(path)),
      );
      return new Map(
        paths.flatMap((path) => {
          const stamp = early.get(path) ?? late.get(path);
          return stamp === undefined ? [] : [[path, stamp] as const];
        }),
      );
    } catch {
      return undefined;
    }
  }

  async #oneByOne(paths: readonly string[]): Promise<ReadonlyMap<string, FileStamp>> {
    const { cwd, environment } = this.#options;
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
  }
}

function isSame(a: FileStamp, b: FileStamp): boolean {
  return a.sizeBytes === b.sizeBytes && a.modifiedAtMs === b.modifiedAtMs;
}
