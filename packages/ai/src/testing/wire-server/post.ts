import type { WireServer } from "./wire-server.ts";

const ENDPOINT: Readonly<Record<string, string>> = {
  "anthropic-messages": "/v1/messages",
  "openai-completions": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  "google-generative-ai": "/v1beta/models/m:",
};

/** This API says in the address what the others say in the body. */
function endpointOf(api: string, body: unknown): string {
  const isStream = typeof body === "object" && body !== null && "stream" in body && body.stream === true;
  const endpoint = ENDPOINT[api] ?? "";
  if (!endpoint.endsWith(":")) return endpoint;
  return endpoint + (isStream ? "streamGenerateContent?alt=sse" : "generateContent");
}

/** Posts a body the way no SDK would touch it; a string goes out as it is. For tests of the server itself. */
export function post(
  server: WireServer,
  api: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(server.origin + endpointOf(api, body), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": server.apiKey,
      "x-goog-api-key": server.apiKey,
      authorization: `Bearer ${server.apiKey}`,
    },
    body: typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(sentBody(api, body)),
    ...(signal === undefined ? {} : { signal }),
  });
}

function sentBody(api: string, body: unknown): unknown {
  if (api !== "google-generative-ai") return body;
  const { stream: _, ...rest } = body as Readonly<Record<string, unknown>>;
  return rest;
}

/** The smallest valid body of a format. */
export function minimalBody(api: string): Readonly<Record<string, unknown>> {
  if (api === "google-generative-ai") return { contents: [{ role: "user", parts: [{ text: "hi" }] }] };
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
    readonly code?: string | number;
    readonly status?: string;
    readonly details?: readonly Readonly<Record<string, unknown>>[];
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
