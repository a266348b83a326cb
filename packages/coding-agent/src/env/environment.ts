import type { FileTree } from "../file-tree/file-tree.ts";

/** What a path is. Times are Unix milliseconds, sizes bytes; `mode` holds the permission bits. */
export interface FileInfo {
  readonly kind: "file" | "directory" | "symlink" | "other";
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  /** When content or attributes changed last, by the file system's clock; no program can set it. */
  readonly changedAtMs?: number;
  readonly mode: number;
}

/**
 * The files a tool may touch. Paths are absolute. Errors carry a Node-style `code` (`ENOENT`, `EISDIR`, `EACCES`, …).
 */
export interface FileSystem {
  /** Follows links. */
  stat(path: string): Promise<FileInfo>;
  readFile(path: string): Promise<Uint8Array>;
  /** At most `length` bytes from `offset`; fewer at the end. */
  readRange(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Replaces the content atomically; keeps the mode of an existing file and writes through links; makes parents. */
  writeFile(path: string, data: Uint8Array): Promise<void>;
  /** Names with their kind, unsorted; links are reported as `symlink`. */
  readDirectory(path: string): Promise<readonly { readonly name: string; readonly kind: FileInfo["kind"] }[]>;
  /** The path with links resolved; a missing last part is allowed. */
  realPath(path: string): Promise<string>;
  /** Takes a file away. Absent: files are never put back to a time when they did not exist. */
  remove?(path: string): Promise<void> | void;
  /** Sets the permission bits of a file. Absent: it keeps those it has. */
  setMode?(path: string, mode: number): Promise<void> | void;
}

export interface ShellRunOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /**
   * Bytes of stdout and stderr as they come, in order of arrival; UTF-8 characters are not split. A shell that can
   * holds the command back until an answered promise resolves.
   */
  readonly onOutput: (chunk: Uint8Array) => void | Promise<void>;
}

export interface ShellExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly reason: "exited" | "timeout" | "aborted";
}

/** Runs commands. Aborting or a timeout ends the whole process tree; a background child never blocks the return. */
export interface Shell {
  run(command: string, options: ShellRunOptions): Promise<ShellExit>;
  /**
   * Ends the process trees of all running commands, and the background children that finished ones left, at once and
   * without grace: for a program that is about to exit.
   */
  killAll?(): void;
}

/** A file that grows while a command runs; `path` can be read with the environment's `files`. */
export interface ScratchFile {
  readonly path: string;
  append(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Room for output too long to show. Files are private to the user (0600) and lie outside the working directory. */
export interface Scratch {
  create(name: string): Promise<ScratchFile>;
}

export interface RipgrepRunOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** What ends a line of stdout; default: a line feed. Names of files may hold anything but NUL. */
  readonly lineEnd?: "\n" | "\0";
  /** One line of stdout, without its end. Answering `false` ends the search. */
  readonly onLine: (line: string) => boolean;
}

export interface RipgrepExit {
  readonly exitCode: number | undefined;
  /** At most the first 4 KB of stderr. */
  readonly stderr: string;
}

/** Runs ripgrep where the files are. Rejects with code `ENOENT` when there is none; callers then search by themselves. */
export type RunRipgrep = (args: readonly string[], options: RipgrepRunOptions) => Promise<RipgrepExit>;

/** Where a coding agent works: local, remote or in memory. The optional ports have fallbacks over `files`. */
export interface Environment {
  readonly files: FileSystem;
  readonly shell: Shell;
  /** What `~` in a path stands for; absent: nothing. */
  readonly homeDirectory?: string;
  /** Absent: the full text of long outputs is not kept. */
  readonly scratch?: Scratch;
  /** Absent: grep and find walk `files`. */
  readonly ripgrep?: RunRipgrep;
  /** Looks after the files below an absolute folder. Absent: small trees are read through `files`. */
  readonly openTree?: (folder: string) => FileTree;
}
