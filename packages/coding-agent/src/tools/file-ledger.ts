import { createHash } from "node:crypto";
import type { FileSystem } from "../env/environment.ts";
import type { FileStamp } from "../file-tree/file-stamp.ts";
import { PathQueue } from "./path-queue.ts";

/**
 * What an agent knows of the files it works on: the order of the calls on them, and the state of each at its last read or write.
 *
 * One ledger per agent. It starts empty: a file that was never read is not guarded.
 */
export class FileLedger {
  readonly queue: PathQueue;
  readonly #seen = new Map<string, FileStamp & { readonly hash: string | undefined }>();

  constructor(files: FileSystem) {
    this.queue = new PathQueue((path) => files.realPath(path));
  }

  /** `realPath` is what the queue handed to its task; `hash` (`hashOf`) where the whole content was seen. */
  remember(realPath: string, { sizeBytes, modifiedAtMs }: FileStamp, hash?: string): void {
    this.#seen.set(realPath, { sizeBytes, modifiedAtMs, hash });
  }

  /** The state of a file when it was last read or written here. */
  stampOf(realPath: string): FileStamp | undefined {
    return this.#seen.get(realPath);
  }

  /**
   * True when the file was seen before and is not the same any more.
   *
   * The content decides where it is known, so that touching a file changes nothing; else size and time do.
   */
  hasChanged(realPath: string, now: FileStamp, content: Uint8Array | undefined): boolean {
    const seen = this.#seen.get(realPath);
    if (seen === undefined) return false;
    if (seen.hash !== undefined && content !== undefined) return seen.hash !== hashOf(content);
    return seen.sizeBytes !== now.sizeBytes || seen.modifiedAtMs !== now.modifiedAtMs;
  }
}

/** SHA-256 in hexadecimal. */
export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
