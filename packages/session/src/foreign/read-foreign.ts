import { ioError, SessionError } from "../errors.ts";
import { afterLine, readLines } from "../lines.ts";
import { nodeSessionFiles } from "../node-session-files.ts";
import type { SessionFile, SessionFiles } from "../session-files.ts";
import { ClaudeCodeReader } from "./claude-code.ts";
import { CodexReader } from "./codex.ts";
import type { ForeignConversation, ForeignReader } from "./foreign-conversation.ts";
import { GeminiCliReader } from "./gemini-cli.ts";
import { type JsonRecord, parsedRecord } from "./json-shape.ts";
import { unpackedFile } from "./unpacked-file.ts";

/** A file says in its first records whose it is. */
const RECORDS_TO_KNOW = 20;
/** A session in one document is read whole. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
const READERS = [CodexReader, GeminiCliReader, ClaudeCodeReader];

/**
 * Reads a session file of another program; undefined where it is of none that is known. Lines that cannot be read are
 * counted in `leftOut`; what is packed by Zstandard is unpacked. Rejects with `not_a_session` where that fails, with `not_found` or `io` where the file cannot be read.
 */
export async function readForeignConversation(
  path: string,
  files: SessionFiles = nodeSessionFiles,
): Promise<ForeignConversation | undefined> {
  try {
    const found = await files.stat(path);
    if (found?.isFile !== true) {
      throw new SessionError({ code: "not_found", message: `There is no file ${path}.`, data: { path } });
    }
    const opened = await files.open(path, "read");
    try {
      const file = await unpackedFile(opened, path, MAX_DOCUMENT_BYTES);
      return (await readRecordLines(file)) ?? (await readDocument(file));
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw ioError("Cannot read", path, error);
  }
}

async function readRecordLines(file: SessionFile): Promise<ForeignConversation | undefined> {
  const size = await file.size();
  // One line of any length would be read whole.
  if (size > MAX_DOCUMENT_BYTES && (await afterLine(file, 0, MAX_DOCUMENT_BYTES)) === undefined)
    return undefined;
  const first: JsonRecord[] = [];
  let reader: ForeignReader | undefined;
  let unreadable = 0;
  for await (const { bytes } of readLines(file, 0, size)) {
    const record = parsedRecord(bytes.toString("utf8"));
    if (record === undefined) {
      // A document over several lines, or not JSON at all.
      if (reader === undefined && first.length === 0) return undefined;
      if (bytes.toString("utf8").trim() !== "") unreadable++;
    } else if (reader !== undefined) reader.add(record);
    else {
      first.push(record);
      reader = readerFor(record);
      if (reader === undefined && first.length >= RECORDS_TO_KNOW) return undefined;
      if (reader !== undefined) for (const early of first) reader.add(early);
    }
  }
  return reader === undefined ? undefined : withUnreadable(reader.end(), unreadable);
}

async function readDocument(file: SessionFile): Promise<ForeignConversation | undefined> {
  const size = await file.size();
  if (size > MAX_DOCUMENT_BYTES) return undefined;
  const parts: Buffer[] = [];
  for await (const { bytes } of readLines(file, 0, size)) parts.push(Buffer.from(bytes), Buffer.from("\n"));
  const record = parsedRecord(Buffer.concat(parts).toString("utf8"));
  const reader = record === undefined ? undefined : readerFor(record);
  if (record === undefined || reader === undefined) return undefined;
  reader.add(record);
  return reader.end();
}

function readerFor(record: JsonRecord): ForeignReader | undefined {
  const Reader = READERS.find((candidate) => candidate.knows(record));
  return Reader === undefined ? undefined : new Reader();
}

function withUnreadable(conversation: ForeignConversation, count: number): ForeignConversation {
  if (count === 0) return conversation;
  return {
    ...conversation,
    leftOut: new Map([...conversation.leftOut, ["lines that cannot be read", count]]),
  };
}
