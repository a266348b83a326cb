import type { Post, PostAnswer } from "../post.ts";
import { ProviderError } from "../provider-error.ts";
import type { ChatRequest } from "../request.ts";
import { abortable } from "../wait.ts";
import { HttpFailure } from "./http-failure.ts";
import { transportError } from "./transport-error.ts";

/** Long enough for a local model that reads a long prompt before it answers. */
const DEFAULT_FIRST_BYTE_TIMEOUT_MS = 600_000;
const DEFAULT_IDLE_TIMEOUT_MS = 300_000;

/** What the SDKs say of a body and of the answers that they take. */
const POST_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "user-agent": "coppice",
};

const BLANK_LINES = new TextEncoder().encode("\n\n");

/** Header names that the SDKs set and that we let through; everything else comes from us, never from the environment. */
const SDK_HEADERS = new Set(["accept", "content-type", "user-agent", "anthropic-version"]);

export interface HttpCallOptions {
  readonly request: ChatRequest;
  readonly fetch: typeof globalThis.fetch;
  readonly post?: Post;
  /** All headers of the call besides the SDK's technical ones, credentials included. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One HTTP exchange with its limits: until the headers arrive, and between two chunks. 0 means no limit.
 *
 * `post` is the short way, `fetch` what an SDK is given. Both send exactly our headers, turn answers that are no stream
 * into `failure` and watch the body for silence. `signal` ends everything.
 */
export class HttpCall {
  readonly signal: AbortSignal;
  readonly #options: HttpCallOptions;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isFinished = false;
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

  /** Tells that the answer is whole: what is left of the body needs no end by force, and its connection may be kept. */
  finish(): void {
    this.#isFinished = true;
  }

  /** Ends the exchange, whatever state it is in. */
  readonly close = (): void => {
    clearTimeout(this.#timer);
    if (!this.#isFinished) this.#controller.abort();
  };

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = this.#headers(init?.headers);
    const { signal } = this;
    const response = await this.#exchange(url, () => this.#options.fetch(url, { ...init, headers, signal }));
    const { body, status } = response;
    return new Response(body && ReadableStream.from(this.#chunks(sourceOfStream(body), url)), {
      status,
      headers: response.headers,
    });
  };

  /** Sends a body as JSON; undefined where there is no short way for it. */
  readonly post = async (url: string, body: unknown): Promise<PostAnswer | undefined> => {
    const { post, headers: own } = this.#options;
    if (post === undefined) return undefined;
    const headers = { ...POST_HEADERS, ...own };
    const { signal } = this;
    const answer = await this.#exchange(url, () =>
      post({ url, headers, body: JSON.stringify(body), signal }),
    );
    return answer && { ...answer, body: answer.body && this.#chunks(sourceOf(answer.body, signal), url) };
  };

  /** Sends, and resolves with an answer that is a stream. */
  async #exchange<Answer extends PostAnswer | undefined>(
    url: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const { request } = this.#options;
    const { signal } = this;
    try {
      this.#limit(request.firstByteTimeoutMs ?? DEFAULT_FIRST_BYTE_TIMEOUT_MS, "No answer came");
      const answer = await abortable(send(), signal);
      clearTimeout(this.#timer);
      if (answer === undefined) return answer;
      const { status, headers } = answer;
      await abortable(request.onResponse?.({ status, headers: Object.fromEntries(headers) }), signal);
      if (status < 200 || status > 299) throw await HttpFailure.of(answer, url);
      await requireStream(answer, url);
      return answer;
    } catch (error) {
      this.#failure ??= error instanceof HttpFailure ? error : transportError(error, url);
      throw error;
    }
  }

  #headers(given: RequestInit["headers"]): Headers {
    const headers = new Headers(given);
    for (const name of [...headers.keys()]) if (!SDK_HEADERS.has(name)) headers.delete(name);
    for (const [name, value] of Object.entries(this.#options.headers)) headers.set(name, value);
    return headers;
  }

  /** Every chunk counts as a sign of life, pings and comments too. */
  async *#chunks(source: ChunkSource, url: string): AsyncGenerator<Uint8Array, void, void> {
    const limit = () =>
      this.#limit(this.#options.request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS, "The stream fell silent");
    limit();
    // Ends a read also where the body does not know of the signal.
    this.signal.addEventListener("abort", source.cancel, { once: true });
    try {
      for (let read = await source.next(); !read.done; read = await source.next()) {
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
      this.signal.removeEventListener("abort", source.cancel);
      source.cancel();
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

/** What a body is read from, chunk by chunk; `cancel` ends a read that waits, and never throws. */
interface ChunkSource {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  readonly cancel: () => void;
}

function sourceOfStream(body: ReadableStream<Uint8Array>): ChunkSource {
  const reader = body.getReader();
  return {
    next: async () => (await reader.read()) as IteratorResult<Uint8Array, unknown>,
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

function sourceOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): ChunkSource {
  const iterator = body[Symbol.asyncIterator]();
  return {
    next: () => abortable(iterator.next(), signal),
    cancel: () => void iterator.return?.().catch(() => {}),
  };
}

/** A web page instead of an event stream means the address is wrong; saying so beats a parse error. */
async function requireStream(answer: PostAnswer, url: string): Promise<void> {
  const type = answer.headers.get("content-type") ?? "";
  if (type.includes("text/html")) {
    throw new ProviderError({
      code: "bad_request",
      message: `${url} answered with a web page. Check the base URL, its path included.`,
      status: answer.status,
    });
  }
  if (type.includes("application/json")) throw await HttpFailure.of(answer, url);
}
