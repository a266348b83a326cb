import type { AnswerHeaders, PostAnswer } from "../post.ts";

/** Bytes of an error body that are worth reading: error bodies are small, error pages are not. */
const MAX_BODY_CHARS = 16_384;

/** An answer that is not a stream: its status, headers and (shortened) body. Thrown inside a provider, then classified. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Where the answer came from: origin and path, without credentials and query. */
  readonly url: string | undefined;
  readonly text: string;
  /** The body as JSON; undefined when it is not. */
  readonly body: unknown;

  constructor(options: {
    readonly status: number;
    readonly headers: AnswerHeaders;
    readonly text: string;
    readonly url?: string | undefined;
  }) {
    super(`HTTP ${options.status}`);
    this.status = options.status;
    this.headers = options.headers;
    this.url = options.url;
    this.text = options.text.slice(0, MAX_BODY_CHARS);
    this.body = parseJson(options.text);
  }

  static async of(response: Omit<PostAnswer, "body">, requestUrl: string): Promise<HttpFailure> {
    const text = await response.text().catch(() => "");
    const { origin, pathname } = new URL(requestUrl);
    return new HttpFailure({
      status: response.status,
      headers: response.headers,
      text,
      url: `${origin}${pathname}`,
    });
  }
}

/** The first error of class `type` in a chain of causes; SDKs wrap what their fetch throws. */
export function causeOf<E extends Error>(
  error: unknown,
  type: abstract new (...args: never[]) => E,
): E | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof type) return at;
  }
  return undefined;
}

/** A body in one readable line: markup taken out of error pages, blanks collapsed, long text shortened. */
export function readableBody(text: string): string {
  const plain = text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    // Control characters of an untrusted body must not reach a terminal.
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return plain.length > 300 ? `${plain.slice(0, 300).toWellFormed()}…` : plain;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
