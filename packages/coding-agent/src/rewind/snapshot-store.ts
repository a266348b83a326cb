import { appendFile, chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashOf } from "../tools/file-ledger.ts";
import type { FileChange } from "./file-state.ts";

export interface SnapshotStoreOptions {
  /** Absolute, of one project; made with the first snapshot. Private to the user (0700, files 0600). */
  readonly directory: string;
  /** Names temporary files. */
  readonly newId: () => string;
}

/** A line of the journal: a change that begins, or the state that it left. */
type JournalLine =
  | ({ readonly id: string } & Omit<FileChange, "after">)
  | { readonly id: string; readonly after: FileChange["after"] };

/**
 * Versions of files by their content, and a journal of who changed what, outside the project and the session.
 *
 * What is restored is taken from here alone: a session file that came from elsewhere cannot name files to touch.
 */
export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;
  readonly #kept = new Set<string>();

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
  }

  /** Keeps a version; returns its hash. */
  async keep(content: Uint8Array): Promise<string> {
    const hash = hashOf(content);
    if (this.#kept.has(hash)) return hash;
    const path = this.#pathOf(hash);
    if (!(await exists(path))) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.${this.#options.newId()}`;
      await writeFile(temporary, content, { mode: 0o600, flag: "wx" });
      await rename(temporary, path);
    }
    this.#kept.add(hash);
    return hash;
  }

  /** The content of a version. Undefined when it is gone or is not what its name says. */
  async read(hash: string): Promise<Uint8Array | undefined> {
    const content = await readFile(this.#pathOf(hash)).catch(() => undefined);
    return content !== undefined && hashOf(content) === hash ? content : undefined;
  }

  /** Writes down that a change begins, before it does; the answer is called with what it left. */
  async begin(change: Omit<FileChange, "after">): Promise<(after: FileChange["after"]) => Promise<void>> {
    const id = this.#options.newId();
    await this.#append({ id, ...change });
    return (after) => this.#append({ id, after });
  }

  /** All changes in the order in which they began; lines that cannot be read are left out. */
  async changes(): Promise<readonly FileChange[]> {
    const text = await readFile(this.#journal, "utf8").catch(() => "");
    const changes = new Map<string, FileChange>();
    for (const line of text.split("\n")) {
      const entry = parsed(line);
      if (entry === undefined) continue;
      const known = changes.get(entry.id);
      if ("path" in entry) changes.set(entry.id, { ...entry, after: "unknown" });
      else if (known !== undefined) changes.set(entry.id, { ...known, after: entry.after });
    }
    return [...changes.values()];
  }

  get #journal(): string {
    return join(this.#options.directory, "journal.jsonl");
  }

  #pathOf(hash: string): string {
    return join(this.#options.directory, "blobs", hash.slice(0, 2), hash);
  }

  async #append(line: JournalLine): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    try {
      await appendFile(this.#journal, text, { mode: 0o600 });
    } catch {
      await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
      await chmod(this.#options.directory, 0o700);
      await appendFile(this.#journal, text, { mode: 0o600 });
    }
  }
}

/** Undefined for a torn or foreign line. */
function parsed(line: string): JournalLine | undefined {
  if (line === "") return undefined;
  try {
    const value = JSON.parse(line) as JournalLine;
    return typeof value?.id === "string" && ("path" in value || "after" in value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
