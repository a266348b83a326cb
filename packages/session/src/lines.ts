import type { SessionFile } from "./session-files.ts";

const CHUNK_BYTES = 256 * 1024;
/** Most lines are shorter. */
const PROBE_BYTES = 8 * 1024;
export const LF = 10;

/** One line of a file, without its LF. Its bytes are good until the next line or batch is asked for. */
export interface FileLine {
  readonly bytes: Buffer;
  /** Where the line starts. */
  readonly byteOffset: number;
  /** False for a last line without LF. */
  readonly isTerminated: boolean;
}

/** The lines between two offsets, split at LF only; memory is bounded by a chunk and the longest line. */
export async function* readLines(
  file: SessionFile,
  from: number,
  to: number,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<FileLine> {
  for await (const lines of readLineBatches(file, from, to, chunkBytes)) yield* lines;
}

/** The same in batches, one a chunk: what is awaited per line costs more than the line. */
export async function* readLineBatches(
  file: SessionFile,
  from: number,
  to: number,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<readonly FileLine[]> {
  // One buffer for all chunks: what is allocated per chunk outside the heap makes the collector run far too often.
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(0, to - from)));
  let parts: Buffer[] = [];
  let lineStart = from;
  let position = from;
  while (position < to) {
    const chunk = await readInto(file, buffer.subarray(0, to - position), position);
    if (chunk.length === 0) break;
    const lines: FileLine[] = [];
    let begin = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, begin)) {
      const rest = chunk.subarray(begin, at);
      const bytes = parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
      lines.push({ bytes, byteOffset: lineStart, isTerminated: true });
      parts = [];
      begin = at + 1;
      lineStart = position + begin;
    }
    if (begin < chunk.length) parts.push(Buffer.from(chunk.subarray(begin)));
    position += chunk.length;
    yield lines;
  }
  if (parts.length > 0) yield [{ bytes: Buffer.concat(parts), byteOffset: lineStart, isTerminated: false }];
}

/** The lines of bytes that stand at `byteOffset` and begin with a whole line. */
export function linesOf(bytes: Buffer, byteOffset: number): readonly FileLine[] {
  const lines: FileLine[] = [];
  for (let begin = 0; begin < bytes.length; ) {
    const at = bytes.indexOf(LF, begin);
    const end = at === -1 ? bytes.length : at;
    lines.push({
      bytes: bytes.subarray(begin, end),
      byteOffset: byteOffset + begin,
      isTerminated: at !== -1,
    });
    begin = end + 1;
  }
  return lines;
}

/** Where the line after the first LF in [from, to) starts. */
export async function afterLine(file: SessionFile, from: number, to: number): Promise<number | undefined> {
  for (let at = from; at < to; at += PROBE_BYTES) {
    const found = (await readChunk(file, at, Math.min(PROBE_BYTES, to - at))).indexOf(LF);
    if (found !== -1) return at + found + 1;
  }
  return undefined;
}

/** Where the line starts that `at` lies in, or `floor`. */
export async function lineStart(file: SessionFile, at: number, floor: number): Promise<number> {
  for (let to = at; to > floor; ) {
    const from = Math.max(floor, to - PROBE_BYTES);
    const found = (await readChunk(file, from, to - from)).lastIndexOf(LF);
    if (found !== -1) return from + found + 1;
    to = from;
  }
  return floor;
}

/** Up to `length` bytes from `position`; fewer only at the end of the file. */
export function readChunk(file: SessionFile, position: number, length: number): Promise<Buffer> {
  return readInto(file, Buffer.allocUnsafe(length), position);
}

/** Fills a buffer from `position`; resolves with the part that was filled, shorter only at the end of the file. */
export async function readInto(file: SessionFile, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const count = await file.read(buffer.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
