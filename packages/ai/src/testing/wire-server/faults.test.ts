import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scriptedText, scriptedToolCall } from "../scripted-answer.ts";
import { dataLines, minimalBody, post, postForJson } from "./post.ts";
import { type WireFault, wireFault } from "./wire-answer.ts";
import { createWireServer } from "./wire-server.ts";

const APIS = [
  "anthropic-messages",
  "openai-completions",
  "openai-responses",
  "google-generative-ai",
] as const;
const TERMINAL: Readonly<Record<string, string>> = {
  "anthropic-messages": '{"type":"message_stop"}',
  "openai-completions": "[DONE]",
  "openai-responses": '"type":"response.completed"',
  "google-generative-ai": '"finishReason":"STOP"',
};
const endsWith = (lines: readonly string[], api: string) =>
  (lines.at(-1) ?? "").includes(TERMINAL[api] ?? "?");
const streaming = (api: string) => ({ ...minimalBody(api), stream: true });
const content = [scriptedText("Grüße 漢字 😀, and more text"), scriptedToolCall("read", { path: "ä.txt" })];

async function faulty(api: string, fault: WireFault, body: unknown = streaming(api)) {
  await using server = await createWireServer({ answers: [wireFault(fault)], contextWindow: 500 });
  const response = await post(server, api, body);
  const text = await response.text().catch((error: Error) => `broken: ${error.name}`);
  return { status: response.status, headers: response.headers, text };
}

describe.each(APIS)("%s: a response that is only a fault", (api) => {
  test("429 carries Retry-After as it was given", async () => {
    const { status, headers, text } = await faulty(api, { kind: "rate_limit", retryAfter: "7" });
    expect([status, headers.get("retry-after")]).toEqual([429, "7"]);
    expect(JSON.parse(text).error.message).toMatch(/rate.limit/i);
  });

  test.each([500, 503, 529])("%i comes in the format's error shape", async (status) => {
    const answer = await faulty(api, { kind: "status", status });
    expect(answer.status).toBe(status);
    const kind = api === "google-generative-ai" ? "status" : "type";
    expect(JSON.parse(answer.text).error).toMatchObject({
      [kind]: expect.any(String),
      message: expect.any(String),
    });
  });

  test("a status may have any body and headers", async () => {
    const fault = { kind: "status", status: 418, body: "teapot", headers: { "x-a": "b" } } as const;
    const { status, text, headers } = await faulty(api, fault);
    expect([status, text, headers.get("x-a")]).toEqual([418, "teapot", "b"]);
  });

  test("a gateway's page is HTML", async () => {
    const { status, headers, text } = await faulty(api, { kind: "html", status: 502 });
    expect([status, headers.get("content-type")]).toEqual([502, "text/html"]);
    expect(text).toContain("<h1>502 Bad Gateway</h1>");
  });

  test("a reset before the headers fails the call itself", async () => {
    await using server = await createWireServer({ answers: [wireFault({ kind: "reset" })] });
    await expect(post(server, api, streaming(api))).rejects.toThrow("fetch failed");
  });

  test("a stall before the headers lasts until the client gives up, and does not hold the server open", async () => {
    const controller = new AbortController();
    const server = await createWireServer({
      answers: () => {
        queueMicrotask(() => controller.abort());
        return wireFault({ kind: "stall" });
      },
    });
    await expect(post(server, api, streaming(api), controller.signal)).rejects.toThrow("aborted");
    await server.close();
  });
});

describe("overflow and quota in each provider's wording", () => {
  test.each([
    {
      api: APIS[0],
      kind: "overflow",
      status: 400,
      error: { type: "invalid_request_error", message: "prompt is too long: 501 tokens > 500 maximum" },
    },
    {
      api: APIS[1],
      kind: "overflow",
      status: 400,
      error: {
        code: "context_length_exceeded",
        message: expect.stringContaining("This model's maximum context length is 500 tokens"),
      },
    },
    {
      api: APIS[0],
      kind: "quota",
      status: 400,
      error: { message: expect.stringContaining("credit balance") },
    },
    { api: APIS[1], kind: "quota", status: 429, error: { code: "insufficient_quota" } },
    { api: APIS[2], kind: "overflow", status: 400, error: { code: "context_length_exceeded" } },
    { api: APIS[2], kind: "quota", status: 429, error: { code: "insufficient_quota" } },
    {
      api: APIS[3],
      kind: "overflow",
      status: 400,
      error: {
        status: "INVALID_ARGUMENT",
        message: "The input token count (501) exceeds the maximum number of tokens allowed (500).",
      },
    },
    { api: APIS[3], kind: "quota", status: 429, error: { status: "RESOURCE_EXHAUSTED" } },
  ] as const)("$api: $kind", async ({ api, kind, status, error }) => {
    const answer = await faulty(api, { kind });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).error).toMatchObject(error);
  });

  test.each(APIS)("%s: a prompt over the window is refused and counted, and takes no answer", async (api) => {
    await using server = await createWireServer({ answers: ["ok"], contextWindow: 100 });
    const text = "x".repeat(404);
    const body = JSON.parse(JSON.stringify(minimalBody(api)).replace('"hi"', JSON.stringify(text)));
    const { status } = await postForJson(server, api, body);
    expect([status, server.remaining, server.rejections, server.overflows.length]).toEqual([400, 1, [], 1]);
    expect((await postForJson(server, api, minimalBody(api))).status).toBe(200);
  });
});

describe("B075: prompt and requested output against one window", () => {
  test.each([
    {
      api: APIS[0],
      body: { max_tokens: 100 },
      message:
        "input length and `max_tokens` exceed context limit: 1 + 100 > 100, decrease input length or `max_tokens` and try again",
    },
    {
      api: APIS[1],
      body: { max_completion_tokens: 100 },
      message: "you requested 101 tokens (1 in the messages, 100 in the completion)",
    },
    { api: APIS[1], body: { max_tokens: 100 }, message: "100 in the completion" },
    { api: APIS[1], body: {}, message: undefined },
    { api: APIS[2], body: { max_output_tokens: 100 }, message: undefined },
    { api: APIS[3], body: { generationConfig: { maxOutputTokens: 100 } }, message: undefined },
  ])("$api: $body counts as the API counts it", async ({ api, body, message }) => {
    await using server = await createWireServer({
      answers: () => "ok",
      contextWindow: 100,
      windowIncludesOutput: true,
    });
    const { status, answer } = await postForJson(server, api, { ...minimalBody(api), ...body });
    expect([status, answer.error?.message]).toEqual(
      message === undefined ? [200, undefined] : [400, expect.stringContaining(message)],
    );
    expect([server.rejections, server.overflows.map((each) => each.message)]).toEqual([
      [],
      message === undefined ? [] : ["1 + 100 tokens > 100"],
    ]);
  });

  test("is no matter unless the server is told so", async () => {
    await using server = await createWireServer({ answers: () => "ok", contextWindow: 100 });
    expect((await postForJson(server, APIS[0], minimalBody(APIS[0]))).status).toBe(200);
  });
});

describe.each(APIS)("%s: a stream that breaks", (api) => {
  const events = (text: string) => dataLines(text).length;
  const stream = async (fault: WireFault) => (await faulty(api, fault)).text;

  test("an error event comes after the deltas asked for, and ends it", async () => {
    const lines = dataLines(await stream({ kind: "error_event", afterDeltas: 1 }));
    const event = JSON.parse(lines.at(-1) ?? "");
    expect((event.error ?? event.response.error).message).toEqual(expect.any(String));
    expect(endsWith(lines, api)).toBe(false);
  });

  test("a cut ends it cleanly before the terminal event", async () => {
    const early = await stream({ kind: "cut", afterDeltas: 1 });
    const late = await stream({ kind: "cut" });
    expect(events(late)).toBeGreaterThan(events(early));
    expect(endsWith(dataLines(late), api)).toBe(false);
  });

  test("a reset breaks the body", async () => {
    expect(await stream({ kind: "reset", afterDeltas: 1 })).toMatch(/^broken/);
  });

  test("a malformed chunk stands between good ones", async () => {
    const lines = dataLines(await stream({ kind: "malformed", afterDeltas: 1 }));
    expect(lines.filter((line) => line === '{"type":"broken')).toHaveLength(1);
    expect(endsWith(lines, api)).toBe(true);
  });

  test("a stall keeps the connection open after the first deltas", async () => {
    await using server = await createWireServer({ answers: [wireFault({ kind: "stall", afterDeltas: 1 })] });
    const controller = new AbortController();
    const response = await post(server, api, streaming(api), controller.signal);
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("This text is bro")) {
      const chunk = await reader?.read();
      if (chunk?.done !== false) throw new Error(`The stream ended: ${text}`);
      text += Buffer.from(chunk.value).toString();
    }
    const next = reader?.read();
    controller.abort();
    await expect(next).rejects.toThrow("aborted");
  });

  test("without streaming, the body breaks half way", async () => {
    const whole = minimalBody(api);
    const { text } = await faulty(api, { kind: "cut", afterDeltas: 1 }, whole);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect((await faulty(api, { kind: "reset", afterDeltas: 1 }, whole)).text).toMatch(/^broken/);
  });

  test("an empty answer is a whole stream without content", async () => {
    await using server = await createWireServer({ answers: [{ content: [] }] });
    const lines = dataLines(await (await post(server, api, streaming(api))).text());
    expect(endsWith(lines, api)).toBe(true);
  });
});

// The fourth format sends arguments as an object: what it does instead is in the tests of its own.
test.each(APIS.slice(0, 3))("%s: truncated arguments go out as they are", async (api) => {
  await using server = await createWireServer({ answers: [scriptedToolCall("read", '{"path":"a', "c1")] });
  const text = await (await post(server, api, streaming(api))).text();
  expect(text).toContain(JSON.stringify('{"path":"a'));
});

describe.each(APIS)("%s: framing", (api) => {
  test("no newline style, chunk size, keep-alive or unknown event changes the events", async () => {
    await using server = await createWireServer({ answers: () => "never" });
    const dataOf = async (framing: object) => {
      server.push({ content, framing });
      const lines = dataLines(await (await post(server, api, streaming(api))).text());
      return lines.filter((line) => !line.includes('"ping"') && !line.includes("x_unheard_of"));
    };
    const steady = (lines: readonly string[]) =>
      lines.map((line) =>
        line.replace(
          /0000\d\d|(?:call|toolu|msg|fc)_\d+|"created(?:_at)?":\d+|"cached(?:_tokens|ContentTokenCount)":\d+,?/g,
          "",
        ),
      );
    const plain = steady(await dataOf({}));
    expect(plain.join("")).toContain("漢字 😀");
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            newline: fc.constantFrom("\n", "\r\n", "\r"),
            chunkBytes: fc.integer({ min: 1, max: 90 }),
            keepAlives: fc.boolean(),
            unknownEvents: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        async (framing) => {
          expect(steady(await dataOf(framing))).toEqual(plain);
        },
      ),
      { numRuns: 15 },
    );
  });

  test("keep-alives are comments, and pings where the format has them", async () => {
    await using server = await createWireServer({ answers: [{ content, framing: { keepAlives: true } }] });
    const text = await (await post(server, api, streaming(api))).text();
    expect([text.startsWith(": keep-alive\n\n"), text.includes("event: ping")]).toEqual([
      true,
      api === "anthropic-messages",
    ]);
  });
});

describe("the server", () => {
  test("gives a script the same view of a conversation in both formats", async () => {
    const views: unknown[] = [];
    await using server = await createWireServer({
      answers: (request) => {
        views.push({ turns: request.turns, tools: request.tools, model: request.model });
        return "ok";
      },
    });
    const tool = { name: "read", schema: { type: "object", properties: {} } };
    await post(server, APIS[0], {
      ...minimalBody(APIS[0]),
      system: "s",
      tools: [{ name: tool.name, input_schema: tool.schema }],
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read", input: { path: "p" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "r" }] },
      ],
    });
    await post(server, APIS[1], {
      ...minimalBody(APIS[1]),
      tools: [{ type: "function", function: { name: tool.name, parameters: tool.schema } }],
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "a" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"p"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "r" },
      ],
    });
    const none = { calls: [], imageCount: 0 };
    const view = {
      model: "m",
      tools: ["read"],
      turns: [
        { role: "system", text: "s", ...none },
        { role: "user", text: "a", ...none },
        {
          role: "assistant",
          text: "",
          calls: [{ id: "c1", name: "read", arguments: '{"path":"p"}' }],
          imageCount: 0,
        },
        { role: "tool", text: "r", resultFor: "c1", ...none },
      ],
    };
    expect(views).toEqual([view, view]);
  });

  test("says that the script has run out, as a rejection", async () => {
    await using server = await createWireServer({ answers: [] });
    const { status, answer } = await postForJson(server, APIS[0], minimalBody(APIS[0]));
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining("no more answers")]);
    expect(server.rejections).toHaveLength(1);
  });

  test("a script that throws is a rejection that shows the error", async () => {
    await using server = await createWireServer({
      answers: () => {
        throw new Error("bug in the test");
      },
    });
    const { status, answer } = await postForJson(server, APIS[0], minimalBody(APIS[0]));
    expect([status, answer.error.message]).toEqual([400, "bug in the test"]);
  });

  test("AI-51: a wrong path is a 404 that tests can see", async () => {
    await using server = await createWireServer({ answers: [] });
    const response = await fetch(`${server.origin}/v1/v1/messages`, { method: "POST", body: "{}" });
    expect([response.status, server.rejections[0]?.path]).toEqual([404, "/v1/v1/messages"]);
  });

  test("a body over the limit is a 413 and is not kept", async () => {
    await using server = await createWireServer({ answers: [], maxBodyBytes: 1_000 });
    const { status } = await postForJson(server, APIS[0], "x".repeat(2_000));
    expect([status, server.rejections[0]?.body]).toEqual([413, undefined]);
  });

  test("close ends stalled connections and may be called twice", async () => {
    const stalled = Promise.withResolvers<void>();
    const server = await createWireServer({
      answers: () => {
        stalled.resolve();
        return wireFault({ kind: "stall" });
      },
    });
    const call = post(server, APIS[0], streaming(APIS[0]));
    call.catch(() => undefined);
    await stalled.promise;
    await server.close();
    await server.close();
    await expect(call).rejects.toThrow("fetch failed");
  });
});
