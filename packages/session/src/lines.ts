import type { SessionFile } from "./session-files.ts";

const CHUNK_BYTES = 1024 * 1024;
const LF = 10;

/** One line of a file, without its LF. */
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
  let parts: Buffer[] = [];
  let lineStart = from;
  let position = from;
  while (position < to) {
    const chunk = await readChunk(file, position, Math.min(chunkBytes, to - position));
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
    if (begin < chunk.length) parts.push(chunk.subarray(begin));
    position += chunk.length;
    yield lines;
  }
  if (parts.length > 0) yield [{ bytes: Buffer.concat(parts), byteOffset: lineStart, isTerminated: false }];
}

/** Up to `length` bytes from `position`; fewer only at the end of the file. */
export async function readChunk(file: SessionFile, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(buffer.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
