/** One simple command of a shell line, quotes and escapes resolved. */
export interface ShellCommand {
  /** The name and its arguments; expansions stand in them as they were written. */
  readonly words: readonly string[];
  /** Indexes of the words that the shell makes others of when it runs: globs, braces, variables, substitutions. */
  readonly openWords: readonly number[];
  /** Files that its redirections read. */
  readonly reads: readonly string[];
  /** Files that its redirections write. */
  readonly writes: readonly string[];
}

/** A shell line as the commands that it runs, those in substitutions included, in the order in which they begin. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** False when part of it was not understood: then nothing may be concluded from the commands. */
  readonly isUnderstood: boolean;
}
