import { join } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { type FileStamp, isSameStamp } from "../file-tree/file-stamp.ts";
import type { FileTree, TreeChange, UnkeptFile } from "../file-tree/file-tree.ts";
import type { ChangeObserver, CommandTime } from "../tools/change-observer.ts";
import { statOrUndefined } from "../tools/stat-or-undefined.ts";
import { atMost } from "./at-most.ts";
import type { EarlierState, FileState } from "./file-state.ts";
import { LateFinds, type PastCall } from "./late-finds.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

export interface ChangeRecorderOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly files: Pick<FileSystem, "stat" | "readFile" | "realPath">;
  readonly tree: FileTree;
  readonly store: SnapshotStore;
  readonly objects: ObjectReader;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A snapshot that failed; the tool call goes on. */
  readonly onFailure: (error: unknown) => void;
}

/** Reads objects of a version control by their ids; those that are not to be had are left out. */
export interface ObjectReader {
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Larger files are not kept: they are data, not work. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** What is copied at one time at most; the rest is copied later. */
const MAX_COPIED_FILES = 400;
const MAX_COPIED_BYTES = 24 * 1024 * 1024;
/** Files are copied in rounds; a command begins no further one when it has waited this long. */
const COPY_ROUND = { maxFiles: 32, maxBytes: 6 * 1024 * 1024, maxFileBytes: MAX_FILE_BYTES };
const COPY_TIME_MS = 40;
/** A disk that does much else does not hold up a command for longer than this: what is copied too late is no version. */
const MAX_COPY_WAIT_MS = 80;
/** Files read at once. */
const BATCH_SIZE = 16;
/** Changes whose earlier contents are asked for by one command, and what these may be in memory. */
const MOST_OBJECTS = 128;
const MAX_OBJECT_BYTES = 32 * 1024 * 1024;
/** A command that changed more files does not wait until all of them are written down. */
const MOST_AWAITED_CHANGES = 32;

interface KnownVersion {
  readonly stamp: FileStamp;
  readonly state: FileState;
}

/** Keeps what files held before and after the calls of a run. Never fails a call. */
export class ChangeRecorder implements ChangeObserver {
  readonly #options: ChangeRecorderOptions;
  /** Versions that are in the store, by path, and the stamp that they had. */
  readonly #versions = new Map<string, KnownVersion>();
  readonly #lateFinds: LateFinds;
  /** What commands did is written down in order. */
  #recording: Promise<unknown> = Promise.resolve();
  #copying: Promise<unknown> = Promise.resolve();
  #isAwaited = false;
  #root: Promise<string> | undefined;

  constructor(options: ChangeRecorderOptions) {
    this.#options = options;
    const record = (call: PastCall, changes: readonly TreeChange[]) => this.#record(call, changes);
    this.#lateFinds = new LateFinds({ tree: options.tree, record });
  }

  /** Gets ready for a command while nobody waits: copies what it could change and nobody keeps. */
  warm(): void {
    this.#options.tree.warm();
    this.#copying = this.#copying.then(() => this.#copyUnkept(() => this.#isAwaited));
  }

  /** Resolves when all that is to be written down is. */
  async settle(): Promise<void> {
    await this.#lateFinds.settle();
    await this.#recording;
  }

  /** The same without waiting for more than a moment for what nobody expects. */
  async settleSoon(): Promise<void> {
    await this.#lateFinds.settleSoon();
    await this.#recording;
  }

  /** Does `work`, which may replace one file, and writes down what the file was and became. */
  async aroundWrite<Result>(
    call: { readonly toolCallId: string; readonly path: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.settleSoon();
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

  /** Copies what the command could change and nobody keeps yet, for a moment. */
  async beforeCommand(between: readonly TreeChange[]): Promise<void> {
    await this.#lateFinds.sort(between);
    await this.settleSoon();
    await atMost(MAX_COPY_WAIT_MS, this.#copyForAMoment());
  }

  /** Writes down what a command did. */
  async afterCommand(toolCallId: string, time: CommandTime, changes: readonly TreeChange[]): Promise<void> {
    const call = { toolCallId, atMs: this.#options.now(), time };
    const recorded = this.#record(call, changes);
    this.#lateFinds.look(call);
    if (changes.length <= MOST_AWAITED_CHANGES) await recorded;
  }

  /** Ends what nobody waits for; no project file is read any more when it resolves. */
  async end(): Promise<void> {
    await this.#endCopying();
    await this.settleSoon();
  }

  #copyForAMoment(): Promise<void> {
    const startedAtMs = performance.now();
    const copying = this.#endCopying().then(() =>
      this.#copyUnkept(() => performance.now() - startedAtMs > COPY_TIME_MS),
    );
    this.#copying = copying;
    return copying;
  }

  async #endCopying(): Promise<void> {
    this.#isAwaited = true;
    await this.#copying;
    this.#isAwaited = false;
  }

  /** At least one round; `isEnough` is asked after each. */
  async #copyUnkept(isEnough: () => boolean): Promise<void> {
    let [count, bytes] = [0, 0];
    do {
      const unkept = await this.#options.tree.takeUnkept(COPY_ROUND);
      if (unkept.length === 0) return;
      for (let start = 0; start < unkept.length; start += BATCH_SIZE) {
        await Promise.all(unkept.slice(start, start + BATCH_SIZE).map((file) => this.#copy(file)));
      }
      count += unkept.length;
      bytes += unkept.reduce((sum, { stamp }) => sum + stamp.sizeBytes, 0);
    } while (!isEnough() && count < MAX_COPIED_FILES && bytes < MAX_COPIED_BYTES);
  }

  async #copy({ path: name, stamp }: UnkeptFile): Promise<void> {
    await this.#quietly(async () => {
      const path = await this.#pathOf(name);
      if (!this.#isKept(path, stamp)) await this.#state(path);
    });
  }

  #record(call: PastCall, changes: readonly TreeChange[]): Promise<void> {
    const recorded = this.#recording.then(async () => {
      for (const batch of objectBatches(changes)) await this.#recordBatch(call, batch);
    });
    this.#recording = recorded;
    return recorded;
  }

  async #recordBatch(call: PastCall, changes: readonly TreeChange[]): Promise<void> {
    const wanted: string[] = [];
    for (const { path, before, objectId } of changes) {
      if (objectId === undefined || before === undefined || before.sizeBytes > MAX_FILE_BYTES) continue;
      if (!this.#isKept(await this.#pathOf(path), before)) wanted.push(objectId);
    }
    const contents =
      wanted.length === 0 ? undefined : await this.#quietly(() => this.#options.objects.read(wanted));
    for (let start = 0; start < changes.length; start += BATCH_SIZE) {
      await Promise.all(
        changes
          .slice(start, start + BATCH_SIZE)
          .map((change) =>
            this.#quietly(() => this.#recordChange(call, change, contents?.get(change.objectId ?? ""))),
          ),
      );
    }
  }

  async #recordChange(
    { toolCallId, atMs }: PastCall,
    change: TreeChange,
    content: Uint8Array | undefined,
  ): Promise<void> {
    const path = await this.#pathOf(change.path);
    const before = await this.#earlier(path, change.before, content);
    const finish = await this.#options.store.begin({ toolCallId, atMs, path, before, isFound: true });
    await finish(change.after === undefined ? null : await this.#stateAt(path, change.after));
  }

  /** Absolute, as the tools that write name it. */
  async #pathOf(name: string): Promise<string> {
    const { cwd, files } = this.#options;
    this.#root ??= files.realPath(cwd).catch(() => cwd);
    return join(await this.#root, name);
  }

  #isKept(path: string, stamp: FileStamp): boolean {
    const version = this.#versions.get(path);
    return version !== undefined && isSameStamp(version.stamp, stamp);
  }

  /** What a file was at a stamp. */
  async #earlier(
    path: string,
    stamp: FileStamp | undefined,
    content: Uint8Array | undefined,
  ): Promise<EarlierState> {
    if (stamp === undefined) return null;
    const version = this.#versions.get(path);
    if (version !== undefined && isSameStamp(version.stamp, stamp)) return version.state;
    // Another size: the repository converts what it checks out, so that the object is not what the file held.
    if (content === undefined || content.length !== stamp.sizeBytes) return "unknown";
    return { hash: await this.#options.store.keep(content), mode: stamp.mode ?? 0o644 };
  }

  /** The version that the file has at a stamp; `unknown` when somebody has changed it since. */
  async #stateAt(path: string, stamp: FileStamp): Promise<EarlierState> {
    const state = await this.#state(path);
    return this.#isKept(path, stamp) ? state : "unknown";
  }

  /** The present version, kept. */
  async #state(path: string): Promise<EarlierState> {
    const { files, store } = this.#options;
    const info = await statOrUndefined(path, files);
    if (info === undefined) return null;
    if (info.kind !== "file" || info.sizeBytes > MAX_FILE_BYTES) return "unknown";
    const content = await files.readFile(path);
    const after = await statOrUndefined(path, files);
    const state = { hash: await store.keep(content), mode: info.mode };
    // Changed while it was read: it is no version of any stamp.
    if (after !== undefined && isSameStamp(info, after)) this.#versions.set(path, { stamp: info, state });
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

/** Changes in runs whose earlier contents fit into memory together. */
function* objectBatches(changes: readonly TreeChange[]): Generator<readonly TreeChange[], void, undefined> {
  let batch: TreeChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = change.before?.sizeBytes ?? 0;
    if (batch.length === MOST_OBJECTS || (batch.length > 0 && bytes + size > MAX_OBJECT_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(change);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
