import type { FileSystem } from "../env/environment.ts";
import { PathQueue } from "./path-queue.ts";

/** What a file looked like when the agent last saw or wrote it. */
export interface FileStamp {
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
}

/**
 * What an agent knows of the files it works on: one queue per real file, and the state of each at its last read or write.
 *
 * One ledger per agent. It starts empty: a file that was never read is not guarded.
 */
export class FileLedger {
  readonly queue: PathQueue;
  readonly #stamps = new Map<string, FileStamp>();

  constructor(files: FileSystem) {
    this.queue = new PathQueue((path) => files.realPath(path));
  }

  /** `realPath` is what the queue handed to its task. */
  remember(realPath: string, stamp: FileStamp): void {
    this.#stamps.set(realPath, { sizeBytes: stamp.sizeBytes, modifiedAtMs: stamp.modifiedAtMs });
  }

  /** True when the file was seen before and is not the same any more. */
  hasChanged(realPath: string, now: FileStamp): boolean {
    const seen = this.#stamps.get(realPath);
    if (seen === undefined) return false;
    return seen.sizeBytes !== now.sizeBytes || seen.modifiedAtMs !== now.modifiedAtMs;
  }
}
