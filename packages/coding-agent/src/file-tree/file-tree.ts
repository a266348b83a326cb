import type { FileStamp } from "./file-stamp.ts";

/** A file that is other than it was at an earlier look; a stamp that is missing = the file was not there. */
export interface TreeChange {
  /** Relative to the root of the tree. */
  readonly path: string;
  readonly before: FileStamp | undefined;
  readonly after: FileStamp | undefined;
  /** Id of the git object that holds what the file was at `before`, as far as git's index says. */
  readonly objectId?: string;
}

/** A file whose content nobody keeps. */
export interface UnkeptFile {
  readonly path: string;
  readonly stamp: FileStamp;
}

export interface UnkeptLimits {
  readonly maxFiles: number;
  /** Of all of them together. */
  readonly maxBytes: number;
  /** Larger files are passed over. */
  readonly maxFileBytes: number;
}

/**
 * What is known of the files below one folder without reading them: time, size and identity, ignored files aside.
 *
 * Nothing is looked at before it is asked for. No method rejects: what fails is not known (undefined), and the next look
 * makes up for it.
 */
export interface FileTree {
  /** Begins to look through the tree, so that the first command need not wait for it. */
  warm(): void;
  /**
   * Call before a command: brings what is known up to date, and tells what became different since the last look.
   *
   * Undefined = nothing is known. `isExact: false` allows to rely on the last look where a new one would cost time.
   */
  baseline(options: { readonly isExact: boolean }): Promise<readonly TreeChange[] | undefined>;
  /** Call when the command starts: `verify` gives way to it, but not for ever. Absent: it need not. */
  giveWay?(): void;
  /** Call after a command: what is different from the last look, in no order. */
  changes(): Promise<readonly TreeChange[] | undefined>;
  /**
   * Looks at everything once more, where `changes` relies on what the system reports; takes its time in the background.
   * Answers what was missed: files that changed until `untilMs` (Unix milliseconds) or are gone.
   */
  verify(options: { readonly untilMs: number }): Promise<readonly TreeChange[]>;
  /** Files that git does not keep and that were not taken before; they count as kept from now on. */
  takeUnkept(limits: UnkeptLimits): Promise<readonly UnkeptFile[]>;
  /** Ends what runs for it. Idempotent. */
  close(): Promise<void>;
}
