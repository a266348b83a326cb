import { ProviderError } from "../provider-error.ts";
import type { ChatRequest } from "../request.ts";
import { abortable } from "../wait.ts";
import { HttpFailure } from "./http-failure.ts";
import { transportError } from "./transport-error.ts";

/** Long enough for a local model that reads a long prompt before it answers. */
const DEFAULT_FIRST_BYTE_TIMEOUT_MS = 600_000;
const DEFAULT_IDLE_TIMEOUT_MS = 300_000;

const BLANK_LINES = new TextEncoder().encode("\n\n");

/** Header names that the SDKs set and that we let through; everything else comes from us, never from the environment. */
const SDK_HEADERS = new Set(["accept", "content-type", "user-agent", "anthropic-version"]);

export interface HttpCallOptions {
  readonly request: ChatRequest;
  readonly fetch: typeof globalThis.fetch;
  /** All headers of the call besides the SDK's technical ones, credentials included. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One HTTP exchange with its limits: until the headers arrive, and between two chunks. 0 means no limit.
 *
 * `fetch` is what an SDK is given. It sends exactly our headers, turns answers that are no stream into `failure` and
 * watches the body for silence. `signal` ends everything.
 */
export class HttpCall {
  readonly signal: AbortSignal;
  readonly #options: HttpCallOptions;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** What really went wrong; SDKs wrap and shorten errors, and swallow aborts. */
  #failure: unknown;

  constructor(options: HttpCallOptions) {
    this.#options = options;
    const { signal } = options.request;
    this.signal = signal ? AbortSignal.any([signal, this.#controller.signal]) : this.#controller.signal;
  }

  get failure(): unknown {
    return this.#failure;
  }

  /** Ends the exchange, whatever state it is in. */
  readonly close = (): void => {
    clearTimeout(this.#timer);
    this.#controller.abort();
  };

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    try {
      return await this.#exchange(url, init ?? {});
    } catch (error) {
      this.#failure ??= error instanceof HttpFailure ? error : transportError(error, url);
      throw error;
    }
  };

  async #exchange(url: string, init: RequestInit): Promise<Response> {
    const { request } = this.#options;
    this.#limit(request.firstByteTimeoutMs ?? DEFAULT_FIRST_BYTE_TIMEOUT_MS, "No answer came");
    const headers = this.#headers(init.headers);
    const { signal } = this;
    const response = await abortable(this.#options.fetch(url, { ...init, headers, signal }), signal);
    clearTimeout(this.#timer);
    const head = { status: response.status, headers: Object.fromEntries(response.headers) };
    await abortable(request.onResponse?.(head), signal);
    if (!response.ok) throw await HttpFailure.of(response, url);
    await requireStream(response, url);
    return new Response(this.#watched(response.body, url), {
      status: response.status,
      headers: response.headers,
    });
  }

  #headers(given: RequestInit["headers"]): Headers {
    const headers = new Headers(given);
    for (const name of [...headers.keys()]) if (!SDK_HEADERS.has(name)) headers.delete(name);
    for (const [name, value] of Object.entries(this.#options.headers)) headers.set(name, value);
    return headers;
  }

  #watched(body: Response["body"], url: string): ReadableStream<Uint8Array> | null {
    return body === null ? null : ReadableStream.from(this.#chunks(body, url));
  }

  /** Every chunk counts as a sign of life, pings and comments too. */
  async *#chunks(body: ReadableStream<Uint8Array>, url: string): AsyncGenerator<Uint8Array, void, void> {
    const limit = () =>
      this.#limit(this.#options.request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS, "The stream fell silent");
    limit();
    const reader = body.getReader();
    // Ends a read also where the body does not know of the signal.
    const cancel = () => void reader.cancel().catch(() => {});
    this.signal.addEventListener("abort", cancel, { once: true });
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        limit();
        yield read.value;
      }
      this.signal.throwIfAborted();
      // Closes a last event that the server did not; a blank line more says nothing.
      yield BLANK_LINES;
    } catch (error) {
      this.#failure ??= transportError(error, url);
      throw error;
    } finally {
      clearTimeout(this.#timer);
      this.signal.removeEventListener("abort", cancel);
      cancel();
    }
  }

  #limit(timeoutMs: number, what: string): void {
    clearTimeout(this.#timer);
    if (timeoutMs <= 0 || !Number.isFinite(timeoutMs)) return;
    this.#timer = setTimeout(() => {
      this.#failure ??= new ProviderError({ code: "timeout", message: `${what} for ${timeoutMs} ms.` });
      this.#controller.abort(this.#failure);
    }, timeoutMs);
  }
}

/** A web page instead of an event stream means the address is wrong; saying so beats a parse error. */
async function requireStream(response: Response, url: string): Promise<void> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("text/html")) {
    await response.body?.cancel();
    throw new ProviderError({
      code: "bad_request",
      message: `${url} answered with a web page. Check the base URL, its path included.`,
      status: response.status,
    });
  }
  if (type.includes("application/json")) throw await HttpFailure.of(response, url);
}
