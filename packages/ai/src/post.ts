/** The headers of an answer, asked for in lower case. A `Headers` and a `Map` are such. */
export interface AnswerHeaders extends Iterable<[string, string]> {
  get(name: string): string | null | undefined;
}

/** An answer whose head has come. A `Response` is one. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Read once: either this or `text`. */
  readonly body: AsyncIterable<Uint8Array> | null;
  text(): Promise<string>;
}

/** What is posted, and where. */
export interface PostRequest {
  readonly url: string;
  /** All of them; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Sends one request and resolves with the head of its answer; rejects when none comes.
 *
 * Undefined: this is nothing for it, a redirect for one. The call then takes the long way, over the vendor's SDK and `fetch`.
 */
export type Post = (request: PostRequest) => Promise<PostAnswer | undefined>;
