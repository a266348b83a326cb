import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface ReplayOptions {
  /** Bytes a chunk; absent = the whole body at once. */
  readonly chunkBytes?: number;
  /** Sees the request before it is answered, for comparing it with `request.json`. */
  readonly onRequest?: (request: ReplayedRequest) => void;
}

export interface ReplayedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * A `fetch` that answers every request with `response.sse` (or `response.json`) of a fixture folder.
 *
 * Layout of the folder: STYLE of the repository, golden wire. Rejects when the folder has neither file, and aborts as
 * the real one does.
 */
export async function replayFetch(
  folder: string,
  options: ReplayOptions = {},
): Promise<typeof globalThis.fetch> {
  const { bytes, contentType } = await responseOf(folder);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
    options.onRequest?.({ url, headers, body });
    init?.signal?.throwIfAborted();
    return new Response(ReadableStream.from(chunksOf(bytes, options.chunkBytes, init?.signal ?? undefined)), {
      headers: { "content-type": contentType },
    });
  };
}

async function responseOf(folder: string) {
  const stream = await readFile(join(folder, "response.sse")).catch(ifMissing);
  if (stream !== undefined) return { bytes: stream, contentType: "text/event-stream" };
  return { bytes: await readFile(join(folder, "response.json")), contentType: "application/json" };
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

async function* chunksOf(
  bytes: Uint8Array,
  size: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const step = Math.max(1, size ?? bytes.length);
  for (let start = 0; start < bytes.length; start += step) {
    signal?.throwIfAborted();
    yield bytes.subarray(start, start + step);
  }
}
