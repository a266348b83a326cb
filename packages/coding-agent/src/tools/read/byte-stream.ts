import type { FileSystem } from "../../env/environment.ts";
import type { TextEncoding } from "../../text/encoding.ts";

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file from an offset, chunk by chunk, until it ends; sizes are not trusted (`/proc` says 0). */
export async function* streamBytes(
  path: string,
  options: { readonly files: FileSystem; readonly from: number; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  let offset = options.from;
  for (;;) {
    options.signal.throwIfAborted();
    const chunk = await options.files.readRange(path, offset, CHUNK_BYTES);
    if (chunk.length === 0) return;
    offset += chunk.length;
    yield chunk;
  }
}

/** Turns a stream of UTF-16 bytes into UTF-8; UTF-8 passes as it is. */
export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (encoding.name === "utf-8") {
    yield* chunks;
    return;
  }
  const decoder = new TextDecoder(encoding.name, { ignoreBOM: true });
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}

/** Leaves out the first `count` bytes of a stream. */
export async function* skipBytes(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = count;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
