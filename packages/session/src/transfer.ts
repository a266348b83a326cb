import { dirname } from "node:path";
import { encodeEntry, encodeHeader } from "./codec.ts";
import { type AnyEntry, SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { ioError, SessionError } from "./errors.ts";
import { readHeader } from "./jsonl-header.ts";
import { readWholeJsonl } from "./jsonl-page.ts";
import { LF, readChunk, readLineBatches } from "./lines.ts";
import { mergeSessions, type SessionCopy } from "./merge-sessions.ts";
import { hasCode, nodeSessionFiles } from "./node-session-files.ts";
import type { ChangeLine } from "./repo.ts";
import type { SessionFile, SessionFiles } from "./session-files.ts";
import { EntryTree } from "./tree.ts";
import { writeAside } from "./write-aside.ts";

const CHUNK_BYTES = 1024 * 1024;

/** Reads the header of a file that is about to be copied. Rejects with `not_a_session` for anything else. */
export async function headerOf(files: SessionFiles, path: string): Promise<SessionHeader> {
  return withFile(files, path, async (file) => (await requireHeader(file, path)).header);
}

/**
 * Copies a session file under a new name, with another header line, entry lines byte for byte or as `changeLine` has
 * them. Never overwrites, and leaves nothing behind when it fails.
 */
export async function copySession(
  files: SessionFiles,
  from: string,
  to: string,
  header: SessionHeader,
  changeLine?: ChangeLine,
): Promise<void> {
  await withFile(files, from, async (file) => {
    const found = await requireHeader(file, from);
    await files.makeDirectory(dirname(to));
    const headerLine = encodeHeader({ ...found.header, ...header });
    const chunks =
      changeLine === undefined
        ? copiedChunks(file, found.end, headerLine)
        : changedChunks(file, found.end, headerLine, changeLine);
    await writeNew(files, to, chunks);
  });
}

/** Writes a header and entries as a new session file, each line as `changeLine` has it. Never overwrites. */
export async function writeSession(
  files: SessionFiles,
  path: string,
  { header, entries }: SessionCopy,
  changeLine?: ChangeLine,
): Promise<void> {
  await files.makeDirectory(dirname(path));
  await writeNew(files, path, encodedChunks(header, entries, changeLine));
}

/** Writes the union of two copies of one session as a third file; both stay as they are. Never overwrites. */
export async function mergeSessionFiles(
  a: string,
  b: string,
  target: string,
  files: SessionFiles = nodeSessionFiles,
): Promise<void> {
  await writeSession(files, target, mergeSessions(await readCopy(files, a), await readCopy(files, b)));
}

async function readCopy(files: SessionFiles, path: string): Promise<SessionCopy> {
  return withFile(files, path, async (file) => {
    const { header, end } = await requireHeader(file, path);
    const { items } = await readWholeJsonl({ file, header, headerEnd: end });
    const tree = new EntryTree();
    for (const item of items) if (item.kind === "entry") tree.add(item.entry);
    return { header: { ...header, version: SESSION_VERSION }, entries: tree.entries };
  });
}

async function requireHeader(file: SessionFile, path: string) {
  const found = await readHeader(file, path);
  if (found !== undefined) return found;
  throw new SessionError({ code: "not_a_session", message: `${path} is empty.`, data: { path, line: 1 } });
}

async function withFile<Value>(
  files: SessionFiles,
  path: string,
  task: (file: SessionFile) => Promise<Value>,
): Promise<Value> {
  try {
    const stat = await files.stat(path);
    if (stat === undefined) {
      throw new SessionError({ code: "not_found", message: `There is no file ${path}.`, data: { path } });
    }
    if (!stat.isFile) {
      throw new SessionError({ code: "not_a_session", message: `${path} is not a file.`, data: { path } });
    }
    const file = await files.open(path, "read");
    try {
      return await task(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw ioError("Cannot read", path, error);
  }
}

async function writeNew(files: SessionFiles, path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await writeAside(files, path, chunks, "new");
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw ioError("Cannot write", path, error);
    throw new SessionError({ code: "exists", message: `There is a file ${path} already.`, data: { path } });
  }
}

/** The header line, then the bytes after the old one; a last line without LF gets one. */
async function* copiedChunks(
  file: SessionFile,
  from: number,
  headerLine: string,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(headerLine);
  const size = await file.size();
  let last = 10;
  for (let at = from; at < size; at += CHUNK_BYTES) {
    const chunk = await readChunk(file, at, Math.min(CHUNK_BYTES, size - at));
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== 10) yield Buffer.from("\n");
}

/** The same with each line as `changeLine` has it. */
async function* changedChunks(
  file: SessionFile,
  from: number,
  headerLine: string,
  changeLine: ChangeLine,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(changed(headerLine, changeLine));
  const end = Buffer.of(LF);
  for await (const lines of readLineBatches(file, from, await file.size())) {
    yield Buffer.concat(lines.flatMap(({ bytes }) => [changedBytes(bytes, changeLine), end]));
  }
}

/** A line that does not change keeps its bytes: one that is no UTF-8 would be lost in a text. */
function changedBytes(bytes: Buffer, changeLine: ChangeLine): Buffer {
  const line = bytes.toString("utf8");
  const written = changeLine(line);
  return written === line ? bytes : Buffer.from(written);
}

const ENTRIES_PER_CHUNK = 500;

async function* encodedChunks(
  header: SessionHeader,
  entries: readonly AnyEntry[],
  changeLine: ChangeLine = (line) => line,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(changed(encodeHeader(header), changeLine));
  for (let at = 0; at < entries.length; at += ENTRIES_PER_CHUNK) {
    const lines = entries
      .slice(at, at + ENTRIES_PER_CHUNK)
      .map((entry) => changed(encodeEntry(entry), changeLine));
    yield Buffer.from(lines.join(""));
  }
}

/** Of a line with its LF. */
function changed(line: string, changeLine: ChangeLine): string {
  return `${changeLine(line.slice(0, -1))}\n`;
}
