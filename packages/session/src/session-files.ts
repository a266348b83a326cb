/** An open file. Positions and lengths are in bytes. */
export interface SessionFile {
  /** Reads into `buffer` from `position`; resolves with the number of bytes read, 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Appends; resolves with the number of bytes that were written, which may be fewer than asked. */
  append(bytes: Uint8Array): Promise<number>;
  size(): Promise<number>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type OpenMode =
  /** Reading only. */
  | "read"
  /** Reading and appending to a file that exists. */
  | "append"
  /** Like `append`, but the file must not exist yet. Created with mode 0600. */
  | "create";

/** The part of a file system that sessions need. Errors carry Node's `code` (`ENOENT`, `EEXIST`, …). */
export interface SessionFiles {
  open(path: string, mode: OpenMode): Promise<SessionFile>;
  /** With parents, mode 0700. */
  makeDirectory(path: string): Promise<void>;
  /** Names in a folder; empty when there is no such folder. */
  list(path: string): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]>;
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name; fails with `EEXIST` when it is taken. */
  link(from: string, to: string): Promise<void>;
  /** Resolves also when there is no such file. */
  remove(path: string): Promise<void>;
  /** Undefined when there is no such thing. */
  stat(path: string): Promise<FileStat | undefined>;
}

export interface FileStat {
  readonly isFile: boolean;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}
