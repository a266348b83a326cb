import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@coppice/session";
import { callIdsOf } from "./rewind-plan.ts";
import type { SnapshotLimits } from "./snapshot-limits.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

export interface SnapshotPruningOptions {
  /** Absolute; the store of one project. */
  readonly directory: string;
  /** Absolute; the folder of the stores of all projects. Absent: only the one store is looked after. */
  readonly projectsDirectory?: string | undefined;
  readonly limits: SnapshotLimits;
  readonly store: Pick<SnapshotStore, "markUsed">;
  readonly session: Pick<Session, "getEntries">;
  /** Unix milliseconds by the clock of the file system; default: this machine's. */
  readonly clock?: () => number;
}

const EVERY_MS = 24 * 60 * 60 * 1000;
/** Its time is that of the last pruning. */
const MARK = "pruned";

/** Keeps a store within its limits: once a day, in the background. */
export class SnapshotPruning {
  readonly #options: SnapshotPruningOptions;
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;
  #marking: Promise<void> | undefined;

  constructor(options: SnapshotPruningOptions) {
    this.#options = options;
  }

  /** Call when the session is used. Does not reject. */
  markUsed(): void {
    this.#marking = this.#options.store.markUsed();
  }

  /** Does not reject; what fails is tried again another time. */
  start(): void {
    this.#running ??= this.#run().catch(() => undefined);
  }

  /** Resolves when it is over. */
  async done(): Promise<void> {
    await this.#running;
  }

  /** Stops at the next file. */
  async end(): Promise<void> {
    this.#ended.abort();
    await Promise.all([this.#running, this.#marking]);
  }

  async #run(): Promise<void> {
    const { directory, projectsDirectory, limits, session, clock = Date.now } = this.#options;
    const nowMs = clock();
    if ((await stat(directory).catch(() => undefined)) === undefined) return;
    const lastAtMs = (await stat(join(directory, MARK)).catch(() => undefined))?.mtimeMs ?? 0;
    if (nowMs - lastAtMs < EVERY_MS) return;
    const { signal } = this.#ended;
    const { pruneSnapshots, removeUnusedStores } = await import("./prune-snapshots.ts");
    const reachable = async () => callIdsOf(await session.getEntries());
    await pruneSnapshots({ directory, limits, nowMs, signal, reachable });
    if (projectsDirectory !== undefined) {
      await removeUnusedStores({ projectsDirectory, ownDirectory: directory, limits, nowMs });
    }
    signal.throwIfAborted();
    await writeFile(join(directory, MARK), "", { mode: 0o600 });
  }
}
