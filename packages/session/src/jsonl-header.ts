import { decodeHeader } from "./codec.ts";
import type { SessionHeader } from "./entry.ts";
import { SessionError } from "./errors.ts";
import { LF, readChunk, readLines } from "./lines.ts";
import type { SessionFile } from "./session-files.ts";

/** A header is looked for in the first bytes of a file only. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Most headers are far shorter. */
const HEADER_CHUNK_BYTES = 4096;

export interface FoundHeader {
  readonly header: SessionHeader;
  /** Where the first entry line starts. */
  readonly end: number;
  readonly line: number;
}

/** The header of a session file; undefined for an empty file. Rejects with `not_a_session` for anything else. */
export async function readHeader(file: SessionFile, path: string): Promise<FoundHeader | undefined> {
  const size = await file.size();
  if (size === 0) return undefined;
  return (await firstLine(file, size)) ?? (await laterLine(file, path, size));
}

/** Nearly every header is one short line at the very beginning. */
async function firstLine(file: SessionFile, size: number): Promise<FoundHeader | undefined> {
  const bytes = await readChunk(file, 0, Math.min(size, HEADER_CHUNK_BYTES));
  const end = bytes.indexOf(LF);
  const header = end === -1 ? undefined : decodeHeader(bytes.toString("utf8", 0, end));
  return header === undefined ? undefined : { header, end: end + 1, line: 1 };
}

/** After blank lines, or a line that is long or does not end. */
async function laterLine(file: SessionFile, path: string, size: number): Promise<FoundHeader> {
  let number = 0;
  for await (const { bytes, byteOffset, isTerminated } of readLines(
    file,
    0,
    Math.min(size, MAX_HEADER_BYTES),
    HEADER_CHUNK_BYTES,
  )) {
    number++;
    const text = bytes.toString("utf8");
    if (text.trim() === "") continue;
    const header = decodeHeader(text);
    if (header === undefined) break;
    return { header, end: byteOffset + bytes.length + (isTerminated ? 1 : 0), line: number };
  }
  throw new SessionError({
    code: "not_a_session",
    message: `${path} is not a session: line ${Math.max(number, 1)} is no session header.`,
    data: { path, line: Math.max(number, 1), byteOffset: 0 },
  });
}
