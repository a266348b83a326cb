export interface UpdateOptions {
  /** Permission bits of a file that does not exist yet; default 0644. An existing file keeps its own. */
  readonly mode?: number;
  /** True: the file is 0600 from then on, whatever it was. */
  readonly isPrivate?: boolean;
}

/**
 * Small text files that several processes read and change: settings, keys, trust.
 *
 * Errors are `CodingAgentError`s: `config_locked` when another process holds a file for too long, `config_unreadable`,
 * `config_unwritable`. A file that is not there is no error.
 */
export interface ConfigFiles {
  /** Undefined = there is no such file. Needs no lock: files are replaced whole. */
  read(path: string): Promise<string | undefined>;
  /**
   * Changes a file while no other process does. `change` gets the text as it is now and returns the new one; undefined
   * or the same text leaves the file alone. What it throws passes through, and nothing is written.
   */
  update(
    path: string,
    change: (text: string | undefined) => string | undefined | Promise<string | undefined>,
    options?: UpdateOptions,
  ): Promise<void>;
}
