/** The part of `fetch` that is used here. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface MessageLimit {
  readonly maxMessageBytes: number;
  /** Told when a message was too long: nothing that follows can be understood. */
  readonly onExceeded: (error: Error) => void;
}

/**
 * A `fetch` whose answers end with an error once one message is too long: a whole body, or one event of a stream of
 * events. Each byte is looked at once.
 */
export function limitedFetch(fetch: Fetch, limit: MessageLimit): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(limiter(limit, isStream));
    const { status, statusText, headers } = response;
    const limited = new Response(body, { status, statusText, headers });
    // A made response has no address of its own, and callers look at it.
    Object.defineProperties(limited, {
      url: { value: response.url },
      redirected: { value: response.redirected },
    });
    return limited;
  };
}

function limiter(
  { maxMessageBytes: maxBytes, onExceeded }: MessageLimit,
  isStream: boolean,
): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of isStream ? chunk : []) {
        length++;
        if (byte === LINE_FEED) {
          // An empty line ends an event.
          if (isLineEmpty) length = 0;
          isLineEmpty = true;
        } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
        if (length > maxBytes) break;
      }
      if (!isStream) length += chunk.length;
      if (length > maxBytes) {
        const error = new Error(`The server sent a message of more than ${maxBytes} bytes.`);
        onExceeded(error);
        controller.error(error);
      } else controller.enqueue(chunk);
    },
  });
}
