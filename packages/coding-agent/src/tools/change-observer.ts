import type { FileStamp } from "./file-ledger.ts";

/** A file that a command changed; a stamp that is missing = the file was not there. */
export interface CommandChange {
  /** Relative to the working directory. */
  readonly path: string;
  readonly before: FileStamp | undefined;
  readonly after: FileStamp | undefined;
}

/** Is told of every change of files by built-in tools, before and after. None of its methods rejects by itself. */
export interface ChangeObserver {
  /** Does `work`, which may replace the file; rejects as it does. `path` is absolute, links resolved. */
  aroundWrite<Result>(
    call: { readonly toolCallId: string; readonly path: string },
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** `known`: path relative to the working directory → state of its files, as far as they are watched. */
  beforeCommand(known: ReadonlyMap<string, FileStamp>): Promise<void>;
  afterCommand(toolCallId: string, changes: readonly CommandChange[]): Promise<void>;
}
