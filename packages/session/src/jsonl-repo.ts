import { isAbsolute, join, resolve } from "node:path";
import { boundedMap } from "./bounded-map.ts";
import { newHeader } from "./codec.ts";
import { SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { ioError, isSessionError, SessionError } from "./errors.ts";
import { fileName, folderName } from "./folder-name.ts";
import { forkEntries } from "./fork-entries.ts";
import { randomEntryId, uuidV7 } from "./ids.ts";
import { readHeader } from "./jsonl-header.ts";
import { type FsyncPolicy, JsonlStorage, type JsonlStorageOptions } from "./jsonl-storage.ts";
import type { LockOptions } from "./lock.ts";
import type { SessionCopy } from "./merge-sessions.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import { nodeProcessInfo, type ProcessInfo } from "./process-info.ts";
import type {
  CreateOptions,
  ExportOptions,
  ForkOptions,
  ImportOptions,
  ListItem,
  OpenOptions,
  SessionRepo,
} from "./repo.ts";
import { Session, type SessionOptions } from "./session.ts";
import type { SessionFiles } from "./session-files.ts";
import { summariseFile } from "./summarise-file.ts";
import { copySession, headerOf, writeSession } from "./transfer.ts";

export interface JsonlRepoOptions {
  /** Absolute; made with the first session. */
  readonly directory: string;
  readonly fileSystem?: SessionFiles;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Entry ids. */
  readonly newId?: () => string;
  readonly newSessionId?: () => string;
  /** Default `savepoint`. */
  readonly fsync?: FsyncPolicy;
  readonly processInfo?: ProcessInfo;
  readonly projectors?: SessionOptions["projectors"];
}

interface FoundSession {
  readonly id: string;
  readonly path: string;
}

const LIST_CONCURRENCY = 4;
const MAX_SHOWN_MATCHES = 5;

/** Sessions as JSONL files, in one folder per working directory. */
export class JsonlRepo implements SessionRepo {
  readonly directory: string;
  readonly #options: JsonlRepoOptions;
  readonly #files: SessionFiles;
  readonly #now: () => number;
  readonly #newId: () => string;

  constructor(options: JsonlRepoOptions) {
    this.directory = resolve(options.directory);
    this.#options = options;
    this.#files = options.fileSystem ?? nodeSessionFiles;
    this.#now = options.now ?? Date.now;
    this.#newId = options.newId ?? randomEntryId;
  }

  async create(options: CreateOptions): Promise<Session> {
    const header = this.#newHeader(options);
    if (options.id !== undefined) await this.#requireFreeId(options.id);
    const storage = JsonlStorage.create(this.#pathOf(header), header, this.#storageOptions(true));
    return Session.open(storage, this.#sessionOptions(false));
  }

  async open(ref: string, options: OpenOptions = {}): Promise<Session> {
    const path = isAbsolute(ref) ? ref : await this.resolve(ref);
    try {
      return await this.#openPath(path, options);
    } catch (error) {
      if (options.whenLocked !== "fork" || !isSessionError(error, "locked")) throw error;
      return this.#forkOf(path);
    }
  }

  async #openPath(path: string, { readOnly = false, cwd }: OpenOptions): Promise<Session> {
    const storage = await JsonlStorage.open(path, {
      ...this.#storageOptions(!readOnly),
      ...(cwd === undefined ? {} : { emptyHeader: () => this.#newHeader({ cwd }) }),
    });
    try {
      return await Session.open(storage, this.#sessionOptions(readOnly));
    } catch (error) {
      await storage.close();
      throw error;
    }
  }

  async *list({ cwd }: { readonly cwd?: string } = {}): AsyncGenerator<ListItem> {
    const paths = await this.#paths();
    for await (const item of boundedMap(paths, LIST_CONCURRENCY, (path) => this.#listItem(path))) {
      if (cwd === undefined || "diagnostic" in item || item.cwd === cwd) yield item;
    }
  }

  async delete(ref: string): Promise<void> {
    const path = await this.resolve(ref);
    const storage = await JsonlStorage.open(path, this.#storageOptions(true));
    try {
      await this.#files.remove(path);
    } catch (error) {
      throw ioError("Cannot delete", path, error);
    } finally {
      await storage.close();
    }
  }

  async fork(source: Session, options: ForkOptions = {}): Promise<Session> {
    const header = this.#newHeader({
      cwd: options.cwd ?? source.cwd,
      parentSession: source.path ?? source.id,
    });
    const path = this.#pathOf(header);
    const entries = await this.#forkedEntries(source, options.entryId);
    if (entries.length === 0) {
      return Session.open(
        JsonlStorage.create(path, header, this.#storageOptions(true)),
        this.#sessionOptions(false),
      );
    }
    await writeSession(this.#files, path, { header, entries });
    return this.open(path);
  }

  /**
   * Copies a session file from anywhere into this repository, its lines byte for byte, or writes a session that was made
   * elsewhere, and opens the copy. Rejects with `exists` when a session of that id is here; leaves nothing behind when it
   * fails.
   */
  async import(source: string | SessionCopy, options: ImportOptions = {}): Promise<Session> {
    const found = typeof source === "string" ? await headerOf(this.#files, source) : source.header;
    requireSafeId(found.id);
    await this.#requireFreeId(found.id);
    const header = { ...found, ...(options.cwd === undefined ? {} : { cwd: options.cwd }) };
    const target = this.#pathOf(header);
    if (typeof source === "string") await copySession(this.#files, source, target, header);
    else await writeSession(this.#files, target, { header, entries: source.entries });
    return this.open(target);
  }

  /** Writes a session to a file of its own, under its id. Never overwrites; the session stays as it is. */
  async export(ref: string, path: string, options: ExportOptions = {}): Promise<void> {
    const source = await this.resolve(ref);
    const { only, changeLine } = options;
    if (only !== "branch") {
      return copySession(this.#files, source, path, await headerOf(this.#files, source), changeLine);
    }
    const session = await this.#openPath(source, { readOnly: true });
    try {
      const header = { ...session.header, version: SESSION_VERSION };
      const entries = await this.#forkedEntries(session, undefined);
      await writeSession(this.#files, path, { header, entries }, changeLine);
    } finally {
      await session.close();
    }
  }

  async #forkOf(path: string): Promise<Session> {
    const source = await this.#openPath(path, { readOnly: true });
    try {
      return await this.fork(source);
    } finally {
      await source.close();
    }
  }

  /** The path of a session file by path, id or unique id prefix. */
  async resolve(ref: string): Promise<string> {
    if (isAbsolute(ref)) return ref;
    const matches = ref === "" ? [] : await this.#withId((id) => id.startsWith(ref));
    const exact = matches.filter(({ id }) => id === ref);
    const [match, ...others] = exact.length > 0 ? exact : matches;
    if (match === undefined) throw this.#notFound(ref);
    if (others.length > 0) throw ambiguous(ref, [match, ...others]);
    return match.path;
  }

  async #withId(isWanted: (id: string) => boolean): Promise<readonly FoundSession[]> {
    const matches: FoundSession[] = [];
    for await (const found of boundedMap(await this.#paths(), LIST_CONCURRENCY, (path) => this.#idOf(path))) {
      if (found !== undefined && isWanted(found.id)) matches.push(found);
    }
    return matches;
  }

  async #forkedEntries(source: Session, entryId: string | null | undefined) {
    const path = await source.getBranch(entryId === undefined ? source.getLeafId() : entryId);
    const labels = new Map<string, string>();
    for (const { id } of path) {
      const label = await source.getLabel(id);
      if (label !== undefined) labels.set(id, label);
    }
    const supply = { newId: this.#newId, timestamp: () => new Date(this.#now()).toISOString() };
    return path.length === 0 ? [] : forkEntries({ path, labels, name: await source.getName() }, supply);
  }

  async #listItem(path: string): Promise<ListItem> {
    try {
      return await summariseFile(this.#files, path);
    } catch (error) {
      return { diagnostic: ioError("Cannot read", path, error).message, path };
    }
  }

  async #idOf(path: string): Promise<FoundSession | undefined> {
    try {
      const file = await this.#files.open(path, "read");
      try {
        const found = await readHeader(file, path);
        return found === undefined ? undefined : { id: found.header.id, path };
      } finally {
        await file.close();
      }
    } catch {
      return undefined;
    }
  }

  /** Session files in the folder and one level below, sorted. */
  async #paths(): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const { name, isDirectory } of await this.#files.list(this.directory)) {
      if (!isDirectory) {
        if (name.endsWith(".jsonl")) paths.push(join(this.directory, name));
        continue;
      }
      const folder = join(this.directory, name);
      for (const entry of await this.#files.list(folder)) {
        if (!entry.isDirectory && entry.name.endsWith(".jsonl")) paths.push(join(folder, entry.name));
      }
    }
    return paths.sort();
  }

  async #requireFreeId(wanted: string): Promise<void> {
    const [taken] = await this.#withId((id) => id === wanted);
    if (taken === undefined) return;
    throw new SessionError({
      code: "exists",
      message: `There is a session ${wanted} already.`,
      data: { path: taken.path },
    });
  }

  #newHeader(options: CreateOptions): SessionHeader {
    const now = this.#now();
    const id = options.id ?? this.#options.newSessionId?.() ?? uuidV7(now);
    requireSafeId(id);
    return newHeader({ ...options, id, timestamp: new Date(now).toISOString() });
  }

  #pathOf(header: SessionHeader): string {
    return join(this.directory, folderName(header.cwd), fileName(header.timestamp, header.id));
  }

  #storageOptions(isWriter: boolean): JsonlStorageOptions {
    return {
      files: this.#files,
      fsync: this.#options.fsync ?? "savepoint",
      ...(isWriter ? { lock: this.#lockOptions() } : {}),
    };
  }

  #lockOptions(): LockOptions {
    return {
      files: this.#files,
      process: this.#options.processInfo ?? nodeProcessInfo(process.pid),
      now: this.#now,
    };
  }

  #sessionOptions(readOnly: boolean): SessionOptions {
    const { projectors } = this.#options;
    return {
      now: this.#now,
      newId: this.#newId,
      readOnly,
      ...(projectors === undefined ? {} : { projectors }),
    };
  }

  #notFound(ref: string): SessionError {
    return new SessionError({
      code: "not_found",
      message: `No session in ${this.directory} has an id that starts with "${ref}".`,
      data: { path: this.directory },
    });
  }
}

/** Ids become part of file names. */
function requireSafeId(id: string): void {
  if (/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/.test(id)) return;
  throw new SessionError({
    code: "invalid_entry",
    message: `"${id}" cannot be a session id.`,
    advice: "Use letters, digits, dots, dashes and underscores, with a letter or digit at both ends.",
  });
}

function ambiguous(ref: string, found: readonly FoundSession[]): SessionError {
  const matches = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // Ids begin with their time, and the newest are wanted most often.
  const shown = matches.slice(-MAX_SHOWN_MATCHES).map(({ id }) => id);
  const rest = matches.length - shown.length;
  return new SessionError({
    code: "ambiguous",
    message: `"${ref}" is the start of ${matches.length} session ids: ${shown.join(", ")}${rest > 0 ? ` and ${rest} earlier ones` : ""}.`,
    data: { matches: matches.map(({ path }) => path) },
  });
}
