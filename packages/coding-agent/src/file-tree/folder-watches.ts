import { type FSWatcher, readFileSync, watch } from "node:fs";
import { basename } from "node:path";
import type { Doubt, FolderListener } from "./tree-index.ts";

/** The system drops events, without a word, when more than this (16,384 by default) wait to be read; half of it is safe. */
const MOST_EVENTS_BETWEEN_LOOKS = 8000;
/** Other programs need watches as well. */
const SHARE_OF_ALL_WATCHES = 0.25;
const LIMIT_FILE = "/proc/sys/fs/inotify/max_user_watches";

export interface FolderWatchesOptions {
  /** Absolute. */
  readonly root: string;
  /** The system has no watches left: nothing is watched from now on. */
  readonly onFailure: () => void;
}

/** What changed by name, in folders that the system watches for us. Linux only: elsewhere reports come at any later time. */
export class FolderWatches implements FolderListener {
  readonly #options: FolderWatchesOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  #doubts = new Map<string, Map<string, boolean>>();
  #since: Set<string> | undefined;
  #eventCount = 0;
  #isRootOther = false;
  #isOver = false;
  readonly #mostWatches = watchLimit() * SHARE_OF_ALL_WATCHES;

  constructor(options: FolderWatchesOptions) {
    this.#options = options;
  }

  added(folder: string): void {
    if (this.#isOver || this.#watchers.has(folder)) return;
    if (this.#watchers.size >= this.#mostWatches) {
      this.#fail();
      return;
    }
    const path = folder === "" ? this.#options.root : `${this.#options.root}/${folder}`;
    try {
      const watcher = watch(path, { persistent: false }, (kind, name) => this.#onEvent(folder, kind, name));
      watcher.on("error", () => this.#fail());
      this.#watchers.set(folder, watcher);
    } catch (error) {
      // A folder that is gone by now is reported by the one above it.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#fail();
    }
  }

  removed(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** Waits until all that happened before is known: a full turn of the loop reads what the system has ready. */
  async drain(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** What is in doubt since it was last taken; `all` where events may have been dropped, or watches are dead. */
  takeDoubts(): "all" | ReadonlyMap<string, Doubt> {
    const isAll = this.#isRootOther || this.#eventCount > MOST_EVENTS_BETWEEN_LOOKS;
    const doubts = isAll ? "all" : this.#doubts;
    this.#doubts = new Map();
    this.#isRootOther = false;
    this.#eventCount = 0;
    return doubts;
  }

  /** Collects from now on which names events told of; the answer tells whether one concerned a path, and ends it. */
  beginRecord(): { readonly concerned: (path: string) => boolean; readonly end: () => void } {
    const since = new Set<string>();
    this.#since = since;
    return {
      concerned: (path) => {
        const parts = path.split("/");
        return parts.some((_, at) => since.has(parts.slice(0, at + 1).join("/")));
      },
      end: () => {
        if (this.#since === since) this.#since = undefined;
      },
    };
  }

  close(): void {
    this.#isOver = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #onEvent(folder: string, kind: string, name: string | null): void {
    this.#eventCount++;
    if (name === null) return;
    // Of itself a folder tells by its own name.
    if (folder === "" && kind === "rename" && name === basename(this.#options.root)) this.#isRootOther = true;
    const names = this.#doubts.get(folder) ?? new Map<string, boolean>();
    names.set(name, (names.get(name) ?? false) || kind === "rename");
    this.#doubts.set(folder, names);
    this.#since?.add(folder === "" ? name : `${folder}/${name}`);
  }

  #fail(): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onFailure();
  }
}

function watchLimit(): number {
  try {
    return Number(readFileSync(LIMIT_FILE, "utf8")) || 0;
  } catch {
    return 0;
  }
}
