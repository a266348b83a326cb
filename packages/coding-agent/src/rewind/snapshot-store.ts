import { appendFile, chmod, mkdir, open, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashOf } from "../tools/file-ledger.ts";
import type { FileChange } from "./file-state.ts";
import {
  blobPath,
  changesOf,
  type JournalLine,
  journalPath,
  journalPaths,
  setAsidePath,
} from "./snapshot-files.ts";

export interface SnapshotStoreOptions {
  /** Absolute, of one project; made with the first snapshot. Private to the user (0700, files 0600). */
  readonly directory: string;
  /** Names temporary files. */
  readonly newId: () => string;
  /** The session whose journal is written; asked with the first line. */
  readonly sessionId: () => string;
}

/**
 * Versions of files by their content, and a journal for each session of who changed what, outside of the project and of
 * the session's own file.
 *
 * What is restored is taken from here alone: a session file that came from elsewhere cannot name files to touch.
 */
export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;
  readonly #kept = new Set<string>();

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
  }

  /** Keeps a version, as long as the session's journal is kept; returns its hash. */
  async keep(content: Uint8Array): Promise<string> {
    const hash = hashOf(content);
    if (this.#kept.has(hash)) return hash;
    const path = blobPath(this.#options.directory, hash);
    const now = new Date();
    try {
      // One that is there already must not go as an old one before the journal names it.
      await utimes(path, now, now);
    } catch {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.${this.#options.newId()}`;
      await writeFile(temporary, content, { mode: 0o600, flag: "wx" });
      await rename(temporary, path);
    }
    await this.#append({ kept: hash });
    this.#kept.add(hash);
    return hash;
  }

  /** The content of a version. Undefined when it is gone or is not what its name says. */
  async read(hash: string): Promise<Uint8Array | undefined> {
    const content = await readFile(blobPath(this.#options.directory, hash)).catch(() => undefined);
    return content !== undefined && hashOf(content) === hash ? content : undefined;
  }

  /** Where the files of one restoration are set aside; without an id the folder of all. Absolute. */
  setAsideDirectory(restoreId?: string): string {
    const all = setAsidePath(this.#options.directory);
    return restoreId === undefined ? all : join(all, restoreId);
  }

  /** Keeps a plain copy, on disk when it resolves, that no pruning takes away; rejects where one is there already. */
  async setAside(file: {
    readonly restoreId: string;
    /** Relative, in the folder of this restoration. */
    readonly name: string;
    readonly content: Uint8Array;
  }): Promise<void> {
    const path = join(this.setAsideDirectory(file.restoreId), file.name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.writeFile(file.content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Writes down that a change begins, before it does; the answer is called with what it left. */
  async begin(change: Omit<FileChange, "after">): Promise<(after: FileChange["after"]) => Promise<void>> {
    const id = this.#options.newId();
    await this.#append({ id, ...change });
    return (after) => this.#append({ id, after });
  }

  /** The changes of all sessions, those of each in the order in which they began; lines that cannot be read are left out. */
  async changes(): Promise<readonly FileChange[]> {
    const paths = await journalPaths(this.#options.directory);
    const texts = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
    return texts.flatMap(changesOf);
  }

  /** The session is in use: what it can go back to is not old. Writes nothing where there is no journal. */
  async markUsed(): Promise<void> {
    const now = new Date();
    await utimes(this.#journal, now, now).catch(() => undefined);
  }

  get #journal(): string {
    return journalPath(this.#options.directory, this.#options.sessionId());
  }

  async #append(line: JournalLine): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    try {
      await appendFile(this.#journal, text, { mode: 0o600 });
    } catch {
      const { directory } = this.#options;
      await mkdir(dirname(this.#journal), { recursive: true, mode: 0o700 });
      await chmod(directory, 0o700);
      await appendFile(this.#journal, text, { mode: 0o600 });
    }
  }
}
