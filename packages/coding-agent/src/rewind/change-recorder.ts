import { join } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import type { ChangeObserver, CommandChange } from "../tools/change-observer.ts";
import type { FileStamp } from "../tools/file-ledger.ts";
import { statOrUndefined } from "../tools/stat-or-undefined.ts";
import type { EarlierState, FileState } from "./file-state.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

export interface ChangeRecorderOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly files: Pick<FileSystem, "stat" | "readFile">;
  readonly store: SnapshotStore;
  /** Content that is kept elsewhere already, for example by git, and need not be copied before a command. */
  readonly keptElsewhere: KeptElsewhere;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A snapshot that failed; the tool call goes on. */
  readonly onFailure: (error: unknown) => void;
}

/** Knows where the content of an unchanged file could be had again. Paths are relative to the working directory. */
export interface KeptElsewhere {
  /** Looks anew, before a command. */
  refresh(): Promise<void>;
  holds(path: string, stamp: FileStamp): boolean;
  /** What the file held at that stamp; undefined when it is not to be had. */
  read(path: string, stamp: FileStamp): Promise<Uint8Array | undefined>;
}

/** Larger files are not kept: they are data, not work. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** What is copied before one command at most; the rest is copied before the next ones. */
const MAX_COPIED_FILES = 400;
const MAX_COPIED_BYTES = 24 * 1024 * 1024;
/** Files read at once. */
const BATCH_SIZE = 16;

interface KnownVersion extends FileStamp {
  readonly state: FileState;
}

/** Keeps what files held before and after the calls of a run. Never fails a call. */
export class ChangeRecorder implements ChangeObserver {
  readonly #options: ChangeRecorderOptions;
  /** Versions that are in the store, by path, and the stamp that they had. */
  readonly #versions = new Map<string, KnownVersion>();

  /** By name below the working directory, the stamp at which the content was safe. */
  readonly #safe = new Map<string, FileStamp>();

  constructor(options: ChangeRecorderOptions) {
    this.#options = options;
  }

  /** Does `work`, which may replace one file, and writes down what the file was and became. */
  async aroundWrite<Result>(
    call: { readonly toolCallId: string; readonly path: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const finish = await this.#quietly(async () => {
      const before = await this.#state(call.path);
      return this.#options.store.begin({ ...call, atMs: this.#options.now(), before });
    });
    try {
      return await work();
    } finally {
      await this.#quietly(async () => finish?.(await this.#state(call.path)));
    }
  }

  /** Copies what a command could change and nobody keeps. */
  async beforeCommand(known: ReadonlyMap<string, FileStamp>): Promise<void> {
    await this.#quietly(async () => {
      const { cwd, keptElsewhere } = this.#options;
      await keptElsewhere.refresh();
      const wanted: string[] = [];
      let bytes = 0;
      for (const [path, stamp] of known) {
        if (this.#isSafe(path, stamp)) continue;
        bytes += stamp.sizeBytes;
        if (wanted.length === MAX_COPIED_FILES || bytes > MAX_COPIED_BYTES) break;
        wanted.push(join(cwd, path));
      }
      for (let start = 0; start < wanted.length; start += BATCH_SIZE) {
        await Promise.all(wanted.slice(start, start + BATCH_SIZE).map((path) => this.#state(path)));
      }
    });
  }

  /** Writes down what a command did. */
  async afterCommand(toolCallId: string, changes: readonly CommandChange[]): Promise<void> {
    const atMs = this.#options.now();
    for (const { path: name, before, after } of changes) {
      const path = join(this.#options.cwd, name);
      await this.#quietly(async () => {
        const earlier = before === undefined ? null : await this.#earlier(name, before);
        const finish = await this.#options.store.begin({ toolCallId, atMs, path, before: earlier });
        await finish(after === undefined ? null : await this.#state(path));
      });
    }
  }

  /** Whether the content at a stamp can be had again, or is not kept at all; remembered as long as the stamp stays. */
  #isSafe(name: string, stamp: FileStamp): boolean {
    const seen = this.#safe.get(name);
    if (seen !== undefined && isSameStamp(seen, stamp)) return true;
    const version = this.#versions.get(join(this.#options.cwd, name));
    const isSafe =
      stamp.sizeBytes > MAX_FILE_BYTES ||
      this.#options.keptElsewhere.holds(name, stamp) ||
      (version !== undefined && isSameStamp(version, stamp));
    if (isSafe) this.#safe.set(name, stamp);
    return isSafe;
  }

  async #earlier(name: string, stamp: FileStamp): Promise<EarlierState> {
    const version = this.#versions.get(join(this.#options.cwd, name));
    if (version !== undefined && isSameStamp(version, stamp)) return version.state;
    const content = await this.#options.keptElsewhere.read(name, stamp);
    if (content === undefined) return "unknown";
    return { hash: await this.#options.store.keep(content), mode: stamp.mode ?? 0o644 };
  }

  /** The present version, kept. */
  async #state(path: string): Promise<EarlierState> {
    const { files, store } = this.#options;
    const info = await statOrUndefined(path, files);
    if (info === undefined) return null;
    if (info.kind !== "file" || info.sizeBytes > MAX_FILE_BYTES) return "unknown";
    const state = { hash: await store.keep(await files.readFile(path)), mode: info.mode };
    const { sizeBytes, modifiedAtMs } = info;
    this.#versions.set(path, { sizeBytes, modifiedAtMs, state });
    return state;
  }

  async #quietly<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.onFailure(error);
      return undefined;
    }
  }
}

function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.sizeBytes === b.sizeBytes && a.modifiedAtMs === b.modifiedAtMs;
}
