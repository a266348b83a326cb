import { createHash } from "node:crypto";
import type { FileSystem } from "../../env/environment.ts";
import type { TextEncoding } from "../../text/encoding.ts";
import type { OutputLimits } from "../../text/truncate.ts";
import { skipBytes, streamBytes, toUtf8 } from "./byte-stream.ts";
import { LineWindow, type PickedLines } from "./line-window.ts";

/** Beyond the window a file is read on, to count its lines and know its content, only up to this size. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

/** Where to start: at a line (1-based), or at a byte of the text. */
export type ReadStart = { readonly line: number } | { readonly byte: number };

export interface ReadTextRequest {
  readonly path: string;
  readonly files: FileSystem;
  readonly encoding: TextEncoding;
  readonly start: ReadStart;
  readonly limits: OutputLimits;
  readonly signal: AbortSignal;
}

export interface ReadText extends PickedLines {
  /** Byte to go on from; undefined at the end of the file. Counted in the file for UTF-8, else in the text as UTF-8. */
  readonly nextByte: number | undefined;
  /** False when the file is so large that it was not read to its end. */
  readonly isCounted: boolean;
  /** SHA-256 of the file's bytes where all of them passed by. */
  readonly hash: string | undefined;
}

/** A window of a text file. */
export async function readText(request: ReadTextRequest): Promise<ReadText> {
  const { start, encoding, limits } = request;
  const window = new LineWindow({ ...limits, firstLine: "line" in start ? start.line : 1 });
  const hash = createHash("sha256");
  const isFromStart = "line" in start || encoding.name !== "utf-8";
  const from = isFromStart ? 0 : Math.max("byte" in start ? start.byte : 0, encoding.bomBytes);
  const source = tap(streamBytes(request.path, { ...request, from }), (chunk) => hash.update(chunk));
  const text = toUtf8(isFromStart ? skipBytes(source, encoding.bomBytes) : source, encoding);
  const isSkipping = "byte" in start && encoding.name !== "utf-8";
  let isCounted = true;
  let seenBytes = 0;
  for await (const chunk of isSkipping ? skipBytes(text, start.byte) : text) {
    window.push(chunk);
    seenBytes += chunk.length;
    isCounted = !(window.isFull && seenBytes > MAX_COUNTED_BYTES);
    if (!isCounted) break;
  }
  const picked = window.picked();
  const end = picked.position + picked.bytes.length;
  const base = isSkipping ? start.byte : encoding.name === "utf-8" ? Math.max(from, encoding.bomBytes) : 0;
  return {
    ...picked,
    nextByte: end < picked.seenBytes ? base + end : undefined,
    isCounted,
    hash: isCounted && isFromStart ? hash.digest("hex") : undefined,
  };
}

async function* tap(
  chunks: AsyncIterable<Uint8Array>,
  look: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    look(chunk);
    yield chunk;
  }
}
