import type { WireServer } from "./wire-server.ts";

const ENDPOINT: Readonly<Record<string, string>> = {
  "anthropic-messages": "/v1/messages",
  "openai-completions": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
};

/** Posts a body the way no SDK would touch it; a string goes out as it is. For tests of the server itself. */
export function post(
  server: WireServer,
  api: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(server.origin + (ENDPOINT[api] ?? ""), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": server.apiKey,
      authorization: `Bearer ${server.apiKey}`,
    },
    body: typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The smallest valid body of a format. */
export function minimalBody(api: string): Readonly<Record<string, unknown>> {
  const messages = [{ role: "user", content: "hi" }];
  if (api === "openai-responses") return { model: "m", input: messages };
  return api === "anthropic-messages" ? { model: "m", max_tokens: 100, messages } : { model: "m", messages };
}

/** Data lines of an event stream, in order. */
export function dataLines(stream: string): readonly string[] {
  return stream
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice("data: ".length));
}

/** What tests read of an answer in JSON, whatever the format. */
export interface AnswerBody {
  readonly type?: string;
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param?: string;
    readonly code?: string;
  };
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly choices: readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[];
  readonly usage: Readonly<Record<string, unknown>>;
  readonly stop_reason?: string;
}

/** Posts a body and reads the JSON of the answer. */
export async function postForJson(
  server: WireServer,
  api: string,
  body: unknown,
): Promise<{ readonly status: number; readonly answer: AnswerBody }> {
  const response = await post(server, api, body);
  return { status: response.status, answer: (await response.json()) as AnswerBody };
}
