import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { builtinProviders } from "../builtin-providers.ts";
import { type Client, createClient } from "../client.ts";
import { nodePost } from "../node-post.ts";
import type { ChatRequest } from "../request.ts";
import type { StreamEvent } from "../stream-event.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The first events of an answer in each format, up to some visible text. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  "anthropic-messages":
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}\n\n',
  "openai-responses":
    'data: {"type":"response.created","response":{"id":"m"}}\n\ndata: {"type":"response.output_text.delta","output_index":0,"delta":"Hel"}\n\n',
  "openai-completions": 'data: {"id":"m","choices":[{"delta":{"content":"Hel"}}]}\n\n',
  "google-generative-ai":
    'data: {"responseId":"m","candidates":[{"content":{"role":"model","parts":[{"text":"Hel"}]}}]}\n\n',
};
/** How each format tells what the rows below are about. */
const BODIES: Readonly<Record<string, { readonly quota: string; readonly busy: string }>> = {
  "google-generative-ai": {
    quota: `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota","details":[{"violations":[{"quotaId":"RequestsPerDay"}]}]}}`,
    busy: `{"error":{"code":503,"status":"UNAVAILABLE","message":"busy"}}`,
  },
};
const OTHER_BODIES = {
  quota:
    '{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"You exceeded your current quota, billing"}}',
  busy: '{"error":{"type":"overloaded_error","message":"busy"}}',
};
const STREAM = { "content-type": "text/event-stream" };

let handler: Handler;
const server = createServer((request, response) => handler(request, response));
let baseUrl = "";
let client: Client;

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  vi.unstubAllEnvs();
});

/** Over the vendor's SDK and `fetch`, and over Node's own client. */
const WAYS = { fetch: {}, post: { post: nodePost } };
const rows = Object.keys(BEGINNINGS).flatMap((api) =>
  (["fetch", "post"] as const).map((way) => ({ api, way })),
);

describe.each(rows)("$api over $way", ({ api, way }) => {
  beforeEach(() => {
    client = createClient({ providers: builtinProviders, ...WAYS[way] });
  });
  const beginning = BEGINNINGS[api] ?? "";
  const request = (patch: Partial<ChatRequest> = {}): ChatRequest => ({
    model: {
      id: "m",
      name: "m",
      api,
      provider: "local",
      baseUrl,
      reasoning: false,
      input: ["text"],
      contextWindow: 100_000,
      maxTokens: 1000,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
    messages: [{ role: "user", content: "hi", timestamp: 1 }],
    apiKey: "key",
    ...patch,
  });
  const answer =
    (status: number, body: string, headers: Record<string, string> = {}): Handler =>
    (_request, response) => {
      response.writeHead(status, headers).end(body);
    };

  test.each([
    {
      name: "429 with a wait in seconds",
      status: 429,
      headers: { "retry-after": "5" },
      body: "",
      error: { code: "rate_limited", retryable: true, status: 429, retryAfterMs: 5000 },
    },
    {
      name: "429 with an unreadable wait",
      status: 429,
      headers: { "retry-after": "soon" },
      body: "",
      error: { code: "rate_limited", retryable: true, status: 429 },
    },
    {
      name: "a 429 that means an empty account",
      status: 429,
      body: (BODIES[api] ?? OTHER_BODIES).quota,
      error: { code: "quota", retryable: false, status: 429 },
    },
    { name: "500", status: 500, body: "", error: { code: "overloaded", retryable: true, status: 500 } },
    {
      name: "529",
      status: 529,
      body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      error: { code: "overloaded", retryable: true, status: 529 },
    },
    {
      name: "a bad key",
      status: 401,
      body: '{"error":{"type":"authentication_error","message":"invalid x-api-key"}}',
      error: { code: "auth", retryable: false, status: 401 },
    },
    {
      name: "a bad request",
      status: 400,
      body: '{"error":{"type":"invalid_request_error","message":"messages.0: wrong"}}',
      error: { code: "bad_request", retryable: false, status: 400 },
    },
    {
      name: "AI-41: a 400 without a body",
      status: 400,
      body: "",
      error: { code: "bad_request", retryable: false, status: 400 },
    },
    {
      name: "B081: a body that is too large",
      status: 413,
      body: '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
      error: { code: "context_overflow", retryable: false, status: 413 },
    },
    {
      name: "an HTML 502",
      status: 502,
      headers: { "content-type": "text/html" },
      body: "<html><style>x{}</style><h1>Bad\u001b[31m Gateway</h1></html>",
      error: { code: "overloaded", retryable: true, status: 502 },
    },
  ])("$name is classified", async ({ status, headers, body, error }) => {
    handler = answer(status, body, { "content-type": "application/json", ...headers });
    const message = await client.complete(request());
    expect(message.stopReason).toBe("error");
    const { message: text, ...rest } = message.error ?? { message: "" };
    expect(rest).toEqual(error);
    expect(text).toMatch(new RegExp(`^local failed \\(HTTP ${status}`));
    expect(text).not.toMatch(/[<\p{Cc}]/u);
  });

  test("a web page instead of a stream points at the base URL", async () => {
    handler = answer(200, "<html>Welcome</html>", { "content-type": "text/html" });
    expect((await client.complete(request())).error).toEqual({
      code: "bad_request",
      retryable: false,
      status: 200,
      message: expect.stringContaining("answered with a web page. Check the base URL"),
    });
  });

  test("an error in the JSON body of a 200 is an error", async () => {
    handler = answer(200, (BODIES[api] ?? OTHER_BODIES).busy, {
      "content-type": "application/json",
    });
    expect((await client.complete(request())).error).toMatchObject({ code: "overloaded" });
  });

  test("B146: no headers within the limit is a retryable timeout", async () => {
    handler = () => {};
    expect((await client.complete(request({ firstByteTimeoutMs: 30 }))).error).toEqual({
      code: "timeout",
      retryable: true,
      message: "No answer came for 30 ms.",
    });
  });

  test("AI-34: silence between chunks is a timeout that keeps what came", async () => {
    handler = (_request, response) => {
      response.writeHead(200, STREAM).write(beginning);
    };
    const message = await client.complete(request({ idleTimeoutMs: 30 }));
    expect(message).toMatchObject({
      stopReason: "error",
      error: { code: "timeout", retryable: true },
      content: [{ type: "text", text: "Hel" }],
    });
  });

  test("a connection that is reset is a retryable network error that names the host", async () => {
    handler = (incoming, response) => {
      response.writeHead(200, STREAM).write(beginning, () => incoming.socket.resetAndDestroy());
    };
    const message = await client.complete(request());
    expect(message.error).toMatchObject({ code: "network", retryable: true });
    expect(message.errorMessage).toContain(`Could not talk to 127.0.0.1:`);
  });

  test("nobody listening is a retryable network error with the cause", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { model } = request();
    const message = await client.complete(
      request({ model: { ...model, baseUrl: `http://127.0.0.1:${port}` } }),
    );
    expect(message.error).toMatchObject({
      code: "network",
      retryable: true,
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("an address that is none is said to be none", async () => {
    const { model } = request();
    const message = await client.complete(request({ model: { ...model, baseUrl: "not a url" } }));
    expect(message).toMatchObject({ stopReason: "error", error: { retryable: false } });
    expect(message.errorMessage).toContain("not a url");
  });

  test("AI-31, AI-32: an abort by signal ends the stream as aborted, with what came, and closes the connection", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    handler = (_request, response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200, STREAM).write(beginning);
    };
    const events: StreamEvent[] = [];
    const stream = client.stream(request({ signal: controller.signal }));
    for await (const event of stream) {
      events.push(event);
      if (event.type === "text_delta") controller.abort();
    }
    await closed.promise;
    expect(events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    expect(await stream.result()).toMatchObject({
      stopReason: "aborted",
      content: [{ type: "text", text: "Hel" }],
      error: { code: "aborted" },
    });
  });

  test("leaving the loop closes the connection and settles the result", async () => {
    const closed = Promise.withResolvers<void>();
    handler = (_request, response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200, STREAM).write(beginning);
    };
    const stream = client.stream(request());
    for await (const event of stream) if (event.type === "text_delta") break;
    await closed.promise;
    expect((await stream.result()).stopReason).toBe("aborted");
  });

  test("an abort before the request sends none", async () => {
    let requests = 0;
    handler = (_request, response) => {
      requests++;
      response.end();
    };
    expect((await client.complete(request({ signal: AbortSignal.abort() }))).stopReason).toBe("aborted");
    expect(requests).toBe(0);
  });

  test("B253: credentials and headers of the environment stay there", async () => {
    for (const name of [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "OPENAI_API_KEY",
      "OPENAI_ADMIN_KEY",
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
    ])
      vi.stubEnv(name, "leak");
    for (const name of ["OPENAI_ORG_ID", "OPENAI_PROJECT_ID"]) vi.stubEnv(name, "leak");
    for (const name of ["ANTHROPIC_CUSTOM_HEADERS", "OPENAI_CUSTOM_HEADERS"])
      vi.stubEnv(name, "authorization: leak\nx-leak: leak");
    for (const name of ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"]) vi.stubEnv(name, "http://leak.invalid");
    const seen: IncomingMessage["headers"][] = [];
    handler = (incoming, response) => {
      seen.push(incoming.headers);
      response.writeHead(200, STREAM).end();
    };
    const { apiKey: _, ...keyless } = request();
    await client.complete(request({ headers: { "X-Mine": "yes" } }));
    await client.complete(keyless);
    expect(JSON.stringify(seen)).not.toContain("leak");
    const credentials = seen.map(
      (headers) =>
        headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization?.replace("Bearer ", ""),
    );
    expect(credentials).toEqual(["key", undefined]);
    expect(seen[0]?.["x-mine"]).toBe("yes");
  });

  test("the hooks see the body and the head, and the body can be replaced", async () => {
    let body = "";
    handler = (incoming, response) => {
      incoming.on("data", (chunk) => {
        body += chunk;
      });
      incoming.on("end", () => response.writeHead(200, { ...STREAM, "x-id": "7" }).end(beginning));
    };
    const heads: unknown[] = [];
    await client.complete(
      request({
        onPayload: (payload) => ({ ...(payload as object), extra: 1 }),
        onResponse: ({ status, headers }) => {
          heads.push([status, headers["x-id"]]);
        },
      }),
    );
    expect(JSON.parse(body)).toMatchObject({
      ...(api === "google-generative-ai" ? {} : { model: "m" }),
      extra: 1,
    });
    expect(heads).toEqual([[200, "7"]]);
  });

  test("AI-51: a base URL with a slash or the path itself at its end is the same address", async () => {
    const paths: (string | undefined)[] = [];
    handler = (incoming, response) => {
      paths.push(incoming.url);
      response.writeHead(200, STREAM).end();
    };
    const { model } = request();
    const path =
      {
        "anthropic-messages": "/v1/messages",
        "openai-responses": "/v1/responses",
        "google-generative-ai": "/v1/models/m:streamGenerateContent?alt=sse",
      }[api] ?? "/v1/chat/completions";
    const whole = baseUrl.replace("/v1", api === "google-generative-ai" ? "/v1/models" : path);
    for (const url of [baseUrl, `${baseUrl}/`, whole]) {
      await client.complete(request({ model: { ...model, baseUrl: url } }));
    }
    expect(paths).toEqual([path, path, path]);
  });
});
