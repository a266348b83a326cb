import { dirname } from "node:path";
import { encodeEntry, encodeHeader } from "./codec.ts";
import { type AnyEntry, SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { ioError, SessionError } from "./errors.ts";
import { readHeader } from "./jsonl-header.ts";
import { type PageSource, readJsonlPage, readWholeJsonl } from "./jsonl-page.ts";
import { JsonlTexts } from "./jsonl-texts.ts";
import { readChunk } from "./lines.ts";
import { type LockOptions, SessionLock } from "./lock.ts";
import type { SessionFile, SessionFiles } from "./session-files.ts";
import type { PageRange, SessionStorage, StoredPage } from "./storage.ts";
import { upgradeFile } from "./upgrade.ts";

/** When appended bytes are forced to the disk: never, when `sync` is called, or with every append. */
export type FsyncPolicy = "off" | "savepoint" | "always";

export interface JsonlStorageOptions {
  readonly files: SessionFiles;
  readonly fsync: FsyncPolicy;
  /** Takes the lock that makes this the only writer; without it, nothing can be appended. */
  readonly lock?: LockOptions;
  /** The header that an empty file gets with the first append. */
  readonly emptyHeader?: () => SessionHeader;
}

const NOTHING: StoredPage = { items: [], start: 0, end: 0, diagnostics: [] };

/** One session in an append-only JSONL file. */
export class JsonlStorage implements SessionStorage {
  readonly path: string;
  readonly #options: JsonlStorageOptions;
  readonly #texts = new JsonlTexts();
  #header: SessionHeader;
  #file: SessionFile | undefined;
  #lock: SessionLock | undefined;
  /** Where the entries start; 0 until the header is written. */
  #headerEnd: number;
  /** Whether the last line lacks its LF; undefined until the first append asks. */
  #isLineOpen: boolean | undefined;
  /** Set while bytes of a failed append could not be taken back: where the good part ends. */
  #cutBackTo: number | undefined;
  /** Set while the file that was made here has no header, because its first append failed. */
  #isEmptyOwnFile = false;
  #isClosed = false;

  private constructor(
    path: string,
    options: JsonlStorageOptions,
    state: { header: SessionHeader; headerEnd: number; file?: SessionFile; lock?: SessionLock | undefined },
  ) {
    this.path = path;
    this.#options = options;
    this.#header = state.header;
    this.#headerEnd = state.headerEnd;
    this.#file = state.file;
    this.#lock = state.lock;
  }

  /** A session that gets its file with the first append. */
  static create(path: string, header: SessionHeader, options: JsonlStorageOptions): JsonlStorage {
    return new JsonlStorage(path, options, { header, headerEnd: 0 });
  }

  /** Opens a file and, with `lock`, becomes its writer. Writes nothing to the file. */
  static async open(path: string, options: JsonlStorageOptions): Promise<JsonlStorage> {
    await requireFile(path, options.files);
    const lock = options.lock === undefined ? undefined : await SessionLock.take(path, options.lock);
    let file: SessionFile | undefined;
    try {
      file = await options.files.open(path, lock === undefined ? "read" : "append");
      const found = await readHeader(file, path);
      const header = found?.header ?? options.emptyHeader?.();
      if (header === undefined) throw emptyFile(path);
      if (lock !== undefined) refuseNewer(header, path);
      return new JsonlStorage(path, options, { header, headerEnd: found?.end ?? 0, file, lock });
    } catch (error) {
      await file?.close();
      await lock?.release();
      throw ioError("Cannot open", path, error);
    }
  }

  get header(): SessionHeader {
    return this.#header;
  }

  readPage(range: PageRange = {}): Promise<StoredPage> {
    return this.#read(NOTHING, (source) => readJsonlPage(source, range));
  }

  readPageWith(texts: readonly string[], before?: number): Promise<StoredPage> {
    return this.#read(NOTHING, (source) => this.#texts.readPageWith(source, texts, before));
  }

  learnTexts(): Promise<void> {
    return this.#read(undefined, (source) => this.#texts.learn(source));
  }

  async append(entries: readonly AnyEntry[], expectedEnd: number): Promise<number> {
    this.#checkWritable();
    try {
      const file = this.#file ?? (await this.#createFile());
      if (this.#headerEnd > 0 && this.#header.version < SESSION_VERSION) {
        return await this.#upgrade(file, entries, expectedEnd);
      }
      return await this.#appendText(file, entries.map(encodeEntry).join(""), expectedEnd);
    } catch (error) {
      throw ioError("Cannot append to", this.path, error);
    }
  }

  async sync(): Promise<void> {
    if (this.#options.fsync === "off" || this.#file === undefined) return;
    try {
      await this.#file.sync();
    } catch (error) {
      throw ioError("Cannot sync", this.path, error);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#file?.close();
      if (this.#isEmptyOwnFile) await this.#options.files.remove(this.path);
      await this.#lock?.release();
    } catch (error) {
      throw ioError("Cannot close", this.path, error);
    }
  }

  /** `nothing` is what a store without a file gives. */
  async #read<Result>(nothing: Result, read: (source: PageSource) => Promise<Result>): Promise<Result> {
    if (this.#file === undefined || this.#headerEnd === 0) return nothing;
    try {
      return await read({ file: this.#file, header: this.#header, headerEnd: this.#headerEnd });
    } catch (error) {
      throw ioError("Cannot read", this.path, error);
    }
  }

  async #createFile(): Promise<SessionFile> {
    const { files, lock } = this.#options;
    await files.makeDirectory(dirname(this.path));
    if (lock !== undefined) this.#lock ??= await SessionLock.take(this.path, lock);
    this.#file = await files.open(this.path, "create");
    this.#isEmptyOwnFile = true;
    return this.#file;
  }

  async #appendText(file: SessionFile, text: string, expectedEnd: number): Promise<number> {
    await this.#takeBackRest(file);
    const size = await file.size();
    if (size !== expectedEnd) throw changed(this.path, size, expectedEnd);
    const isNew = this.#headerEnd === 0;
    const headerText = isNew ? encodeHeader(this.#header) : "";
    this.#isLineOpen ??= await isLineOpen(file, size);
    // A torn last line is closed in the same write, so that the new entry never joins it.
    const bytes = Buffer.from(headerText + (this.#isLineOpen ? "\n" : "") + text);
    this.#cutBackTo = size;
    try {
      const written = await file.append(bytes);
      if (written < bytes.length) throw shortWrite(this.path, written, bytes.length);
      if (this.#options.fsync === "always") await file.sync();
    } catch (error) {
      await this.#takeBackRest(file).catch(() => undefined);
      throw error;
    }
    this.#cutBackTo = undefined;
    this.#isLineOpen = false;
    this.#isEmptyOwnFile = false;
    if (isNew) this.#headerEnd = Buffer.byteLength(headerText);
    return size + bytes.length;
  }

  /** Takes the bytes of a failed append out of the file again. */
  async #takeBackRest(file: SessionFile): Promise<void> {
    if (this.#cutBackTo === undefined) return;
    await file.truncate(this.#cutBackTo);
    this.#texts.forgetFrom(this.#cutBackTo);
    this.#cutBackTo = undefined;
  }

  async #upgrade(file: SessionFile, entries: readonly AnyEntry[], expectedEnd: number): Promise<number> {
    const size = await file.size();
    if (size !== expectedEnd) throw changed(this.path, size, expectedEnd);
    const source = { file, header: this.#header, headerEnd: this.#headerEnd };
    const page = await readWholeJsonl(source);
    const upgraded = await upgradeFile({
      files: this.#options.files,
      path: this.path,
      header: this.#header,
      items: page.items,
      added: entries,
    });
    this.#file = upgraded.file;
    this.#header = upgraded.header;
    this.#headerEnd = upgraded.headerEnd;
    this.#isLineOpen = false;
    await file.close();
    return upgraded.end;
  }

  #checkWritable(): void {
    if (this.#isClosed) throw new SessionError({ code: "closed", message: `${this.path} is closed.` });
    if (this.#file !== undefined && this.#lock === undefined && this.#options.lock === undefined) {
      throw new SessionError({ code: "read_only", message: `${this.path} was opened for reading only.` });
    }
  }
}

async function requireFile(path: string, files: SessionFiles): Promise<void> {
  const stat = await files.stat(path);
  if (stat === undefined) {
    throw new SessionError({ code: "not_found", message: `There is no file ${path}.`, data: { path } });
  }
  if (!stat.isFile) {
    throw new SessionError({ code: "not_a_session", message: `${path} is not a file.`, data: { path } });
  }
}

async function isLineOpen(file: SessionFile, size: number): Promise<boolean> {
  return size > 0 && (await readChunk(file, size - 1, 1))[0] !== 10;
}

function refuseNewer(header: SessionHeader, path: string): void {
  if (header.version <= SESSION_VERSION) return;
  throw new SessionError({
    code: "version_too_new",
    message: `${path} has version ${header.version}; this program writes version ${SESSION_VERSION}.`,
    data: { path, line: 1, version: header.version },
  });
}

function emptyFile(path: string): SessionError {
  return new SessionError({ code: "not_a_session", message: `${path} is empty.`, data: { path, line: 1 } });
}

function changed(path: string, size: number, expected: number): SessionError {
  return new SessionError({
    code: "changed",
    message: `${path} has ${size} bytes where ${expected} were expected.`,
    data: { path, byteOffset: expected },
  });
}

function shortWrite(path: string, written: number, wanted: number): SessionError {
  return new SessionError({
    code: "io",
    message: `Only ${written} of ${wanted} bytes could be written to ${path}; they were taken back.`,
    data: { path },
  });
}
