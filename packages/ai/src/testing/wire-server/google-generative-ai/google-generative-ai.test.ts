import { describe, expect, test } from "vitest";
import { scriptedText, scriptedThinking, scriptedToolCall } from "../../scripted-answer.ts";
import type { AnswerBody } from "../post.ts";
import { dataLines, minimalBody, post, postForJson } from "../post.ts";
import { wireFault } from "../wire-answer.ts";
import { createWireServer } from "../wire-server.ts";

const API = "google-generative-ai";
const body = minimalBody(API);
const turn = (role: string, ...parts: unknown[]) => ({ role, parts });
const user = (text: string) => turn("user", { text });
const call = (name: string, more: object = {}) => ({ functionCall: { name, args: {}, ...more } });
const result = (name: string, more: object = {}) => ({
  functionResponse: { name, response: { output: "x" }, ...more },
});
const contents = (...turns: unknown[]) => ({ contents: turns });
const declare = (parameters: unknown, name = "read") => ({
  ...body,
  tools: [{ functionDeclarations: [{ name, description: "Reads.", parameters }] }],
});
const STRING = { type: "string" };
const COUNT_RULE =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";

describe("the Gemini server refuses", () => {
  test.each([
    { name: "missing contents", body: {}, message: "contents is not specified" },
    { name: "empty contents", body: contents(), message: "contents is not specified" },
    {
      name: "an unknown field",
      body: { ...body, messages: [] },
      message: 'Invalid JSON payload received. Unknown name "messages": Cannot find field.',
    },
    {
      name: "AI-27: scratch data in a call",
      body: contents(
        user("a"),
        turn("model", call("read", { partialJson: "" })),
        turn("user", result("read")),
      ),
      message: `Unknown name "partialJson" at 'contents[1].parts[0].function_call': Cannot find field.`,
    },
    {
      name: "AI-13: a role of another API",
      body: contents(turn("assistant", { text: "a" })),
      message: "Please use a valid role: user, model.",
    },
    {
      name: "AI-08: a turn without parts",
      body: contents(user("a"), turn("model"), user("b")),
      message: "contents[1].parts: contents.parts must not be empty.",
    },
    {
      name: "AI-08: a part without data",
      body: contents(user("a"), turn("model", { thought: true })),
      message: "contents[1].parts[0].data: required oneof field 'data' must have one initialized field",
    },
    {
      name: "AI-08: an empty text",
      body: contents(user("")),
      message: "it must have a text parameter",
    },
    {
      name: "an empty system instruction",
      body: { ...body, systemInstruction: { parts: [{ text: "" }] } },
      message: "it must have a text parameter",
    },
    {
      name: "a part with two kinds of data",
      body: contents(turn("user", { text: "a", inlineData: { mimeType: "image/png", data: "YQ==" } })),
      message: "oneof field 'data' is already set. Cannot set 'inlineData'",
    },
    {
      name: "AI-09: null for a text",
      body: contents(turn("user", { text: null })),
      message: "Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), null",
    },
    {
      name: "an image of an unknown kind",
      body: contents(turn("user", { inlineData: { mimeType: "image/bmp", data: "YQ==" } })),
      message: "Unsupported MIME type: image/bmp",
    },
    {
      name: "an image that is not base64",
      body: contents(turn("user", { inlineData: { mimeType: "image/png", data: "data:image/png;base64," } })),
      message: "(TYPE_BYTES), Base64 decoding failed",
    },
    {
      name: "a call by the user",
      body: contents(turn("user", call("read"))),
      message: "a functionCall part is not allowed in a turn of role user",
    },
    {
      name: "B120: a call without its answer",
      body: contents(user("a"), turn("model", call("read"), call("ls")), turn("user", result("read"))),
      message: COUNT_RULE,
    },
    {
      name: "B121: a prompt before the answer",
      body: contents(user("a"), turn("model", call("read")), user("b"), turn("user", result("read"))),
      message: COUNT_RULE,
    },
    {
      name: "answers spread over two turns",
      body: contents(
        user("a"),
        turn("model", call("read"), call("ls")),
        turn("user", result("read")),
        turn("user", result("ls")),
      ),
      message: COUNT_RULE,
    },
    {
      name: "AI-02: an orphan answer",
      body: contents(user("a"), turn("user", result("read"))),
      message: "function response turn comes immediately after a function call turn",
    },
    {
      name: "an answer of another name",
      body: contents(user("a"), turn("model", call("read")), turn("user", result("ls"))),
      message: "Function response `ls` does not match a function call",
    },
    {
      name: "an answer of another id",
      body: contents(
        user("a"),
        turn("model", call("read", { id: "1" })),
        turn("user", result("read", { id: "2" })),
      ),
      message: "Function response `read` does not match a function call",
    },
    {
      name: "a call that no user's turn came before",
      body: contents(turn("model", call("read")), turn("user", result("read"))),
      message: "function call turn comes immediately after a user turn or after a function response turn",
    },
    {
      name: "B111: a thought signature of another server",
      body: contents(
        user("a"),
        turn("model", { ...call("read"), thoughtSignature: "Zm9yZWlnbg==" }),
        turn("user", result("read")),
      ),
      message: "Corrupted thought signature.",
    },
    {
      name: "a thought signature that is no base64",
      body: contents(user("a"), turn("model", { text: "b", thoughtSignature: "rs_1|x" })),
      message: "Base64 decoding failed",
    },
    {
      name: "AI-15: a schema keyword outside its subset",
      body: declare({ type: "object", properties: { a: { const: 1 } } }),
      message: `Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties.a': Cannot find field.`,
    },
    {
      name: "AI-15: an untyped property",
      body: declare({ type: "object", properties: { a: {} } }),
      message:
        "parameters.properties.a.type: must be specified when not using one_of, any_of or all_of fields",
    },
    {
      name: "AI-15: an object without properties",
      body: declare({ type: "object", properties: {} }),
      message: "parameters.properties: should be non-empty for OBJECT type",
    },
    {
      name: "AI-15: a list without items",
      body: declare({ type: "array" }),
      message: "parameters.items: missing field.",
    },
    {
      name: "AI-15: numbers to choose from",
      body: declare({ type: "object", properties: { a: { type: "integer", enum: ["1"] } } }),
      message: "enum: only allowed for STRING type",
    },
    {
      name: "AI-15: a required property that is not there",
      body: declare({ type: "object", properties: { a: STRING }, required: ["b"] }),
      message: "parameters.required[0]: property is not defined",
    },
    {
      name: "a schema given twice",
      body: {
        ...body,
        tools: [{ functionDeclarations: [{ name: "a", parameters: STRING, parametersJsonSchema: STRING }] }],
      },
      message: "only one of parameters and parameters_json_schema may be set",
    },
    {
      name: "a function name with a blank",
      body: declare(STRING, "read file"),
      message: "[FIELD_INVALID] Invalid function name.",
    },
    {
      name: "two functions of one name",
      body: { ...body, tools: [{ functionDeclarations: [{ name: "a" }, { name: "a" }] }] },
      message: "Duplicate function declaration found: a",
    },
    {
      name: "B075: more output than the model has",
      body: { ...body, generationConfig: { maxOutputTokens: 64_001 } },
      message: "the supported range is from 1 (inclusive) to 64001 (exclusive)",
    },
    {
      name: "AI-47: a thinking budget beside a level",
      body: { ...body, generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: "LOW" } } },
      message: "You can only set only one of thinking budget and thinking level.",
    },
    {
      name: "allowed functions that no mode asks for",
      body: { ...body, toolConfig: { functionCallingConfig: { mode: "AUTO", allowedFunctionNames: [] } } },
      message: "only allowed when mode is ANY or VALIDATED",
    },
  ])("$name", async ({ body, message }) => {
    await using server = await createWireServer({ answers: () => "never" });
    const { status, answer } = await postForJson(server, API, body);
    expect([status, answer.error.code, answer.error.status, answer.error.message]).toEqual([
      400,
      400,
      "INVALID_ARGUMENT",
      expect.stringContaining(message),
    ]);
    expect([server.rejections.length, server.requests]).toEqual([1, []]);
  });

  test("an unknown field with the place in the details", async () => {
    await using server = await createWireServer({ answers: () => "never" });
    const { answer } = await postForJson(server, API, contents({ ...user("a"), name: "b" }));
    const description = `Invalid JSON payload received. Unknown name "name" at 'contents[0]': Cannot find field.`;
    expect(answer.error.details).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "contents[0]", description }],
      },
    ]);
  });

  test.each([
    {
      name: "a wrong key with a 400",
      headers: { "x-goog-api-key": "wrong" },
      status: 400,
      reason: "API_KEY_INVALID",
    },
    { name: "no key with a 403", headers: {}, status: 403, reason: undefined },
  ])("$name", async ({ headers, status, reason }) => {
    await using server = await createWireServer({ answers: [] });
    const url = `${server.baseUrl(API)}/models/m:generateContent`;
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
    const response = await fetch(url, { ...init, body: JSON.stringify(body) });
    const { error } = (await response.json()) as AnswerBody;
    expect([response.status, error.details?.[0]?.reason]).toEqual([status, reason]);
    expect((await fetch(`${server.baseUrl(API)}/models`, { headers })).status).toBe(status);
  });
});

describe("the Gemini server's thought signatures", () => {
  const think = [scriptedThinking("hm"), scriptedToolCall("read", { path: "a" }), scriptedToolCall("ls")];
  type Parts = readonly Readonly<Record<string, unknown>>[];
  const partsOf = async (response: Response): Promise<Parts> => {
    const { candidates } = (await response.json()) as {
      readonly candidates: readonly { content: { parts: Parts } }[];
    };
    return candidates[0]?.content.parts ?? [];
  };
  const answers = turn("user", result("read"), result("ls"));
  const unsigned = (parts: Parts) => parts.map(({ thoughtSignature: _, ...part }) => part);

  test("AI-05: sit on the first call after the thought and must come back there in the present turn", async () => {
    await using server = await createWireServer({ answers: [think, "ok", "ok"] });
    const parts = await partsOf(await post(server, API, body));
    expect(parts.map((part) => [Object.keys(part)[0], part.thoughtSignature])).toEqual([
      ["text", undefined],
      ["functionCall", expect.any(String)],
      ["functionCall", undefined],
    ]);
    const replay = (replayed: Parts, ...more: unknown[]) =>
      postForJson(server, API, contents(user("a"), turn("model", ...replayed), answers, ...more));
    expect((await replay(parts)).status).toBe(200);
    const refused = await replay(unsigned(parts));
    expect([refused.status, refused.answer.error.message]).toEqual([
      400,
      expect.stringContaining("missing a thought_signature in functionCall parts. "),
    ]);
    expect(refused.answer.error.message).toContain("function call `default_api:read` , position 2.");
    expect((await replay(unsigned(parts), user("next"))).status).toBe(200);
  });

  test("are known to a server of the same seed and foreign to another", async () => {
    await using first = await createWireServer({ answers: [think] });
    await using second = await createWireServer({ answers: () => "ok" });
    await using third = await createWireServer({ answers: () => "ok", signatureSeed: "other" });
    const parts = await partsOf(await post(first, API, body));
    const request = contents(user("a"), turn("model", ...parts), answers);
    expect((await post(second, API, request)).status).toBe(200);
    expect((await post(third, API, request)).status).toBe(400);
  });

  test.each([
    { thoughtSignatures: "required", signature: {}, status: 400 },
    {
      thoughtSignatures: "required",
      signature: { thoughtSignature: "skip_thought_signature_validator" },
      status: 200,
    },
    { thoughtSignatures: "issued", signature: {}, status: 200 },
  ] as const)("$thoughtSignatures: a foreign call with $signature is a $status", async (row) => {
    const { thoughtSignatures, signature, status } = row;
    await using server = await createWireServer({ answers: () => "ok", thoughtSignatures });
    const foreign = turn("model", { ...call("read"), ...signature }, call("ls"));
    expect((await post(server, API, contents(user("a"), foreign, answers))).status).toBe(status);
  });
});

describe("the Gemini server", () => {
  const content = [
    scriptedThinking("hm"),
    scriptedText("Hallo"),
    scriptedToolCall("read", { path: "a" }, "c1"),
    scriptedToolCall("ls", "", "c2"),
  ];
  const head = { modelVersion: "m", responseId: "resp_000001" };
  const prompt = { promptTokenCount: 1, promptTokensDetails: [{ modality: "TEXT", tokenCount: 1 }] };

  test("streams chunks and ends with the one that has a finish reason and the usage", async () => {
    await using server = await createWireServer({ answers: [content] });
    const response = await post(server, API, { ...body, stream: true });
    const chunks = dataLines(await response.text()).map((line) => JSON.parse(line));
    const chunk = (...parts: unknown[]) => ({
      candidates: [{ content: { parts, role: "model" }, index: 0 }],
      usageMetadata: { ...prompt, totalTokenCount: 1 },
      ...head,
    });
    expect(chunks).toEqual([
      chunk({ text: "hm", thought: true }),
      chunk({ text: "Hallo" }),
      chunk({
        functionCall: { name: "read", args: { path: "a" }, id: "c1" },
        thoughtSignature: expect.any(String),
      }),
      chunk({ functionCall: { name: "ls", id: "c2" } }),
      {
        candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP", index: 0 }],
        usageMetadata: { ...prompt, candidatesTokenCount: 7, thoughtsTokenCount: 1, totalTokenCount: 9 },
        ...head,
      },
    ]);
  });

  test("answers in one piece, and in a list where alt=sse is forgotten", async () => {
    await using server = await createWireServer({
      answers: () => [scriptedThinking("hm"), scriptedText("Hallo")],
    });
    const whole = {
      candidates: [
        {
          content: {
            parts: [
              { text: "hm", thought: true },
              { text: "Hallo" },
              { text: "", thoughtSignature: expect.any(String) },
            ],
            role: "model",
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: { ...prompt, candidatesTokenCount: 2, thoughtsTokenCount: 1, totalTokenCount: 4 },
      ...head,
    };
    expect(await (await post(server, API, body)).json()).toEqual(whole);
    const forgotten = await fetch(`${server.baseUrl(API)}/models/m:streamGenerateContent`, {
      method: "POST",
      headers: { "x-goog-api-key": server.apiKey },
      body: JSON.stringify(body),
    });
    expect(await forgotten.json()).toMatchObject([{ candidates: whole.candidates }]);
  });

  test("AI-42: counts cached tokens inside the prompt and thoughts outside the answer", async () => {
    const usage = { input: 10, cacheRead: 90, output: 12, reasoning: 5 };
    await using server = await createWireServer({ answers: [{ content: [scriptedText("a")], usage }] });
    expect((await (await post(server, API, body)).json()) as object).toMatchObject({
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 90,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 5,
        totalTokenCount: 112,
      },
    });
  });

  test.each([
    {
      name: "a length stop",
      answer: { content: [scriptedText("a")], stopReason: "length" },
      reason: "MAX_TOKENS",
    },
    {
      name: "a blocked answer",
      answer: { content: [scriptedText("a")], stopReason: "refusal" },
      reason: "SAFETY",
    },
    { name: "an empty answer", answer: { content: [] }, reason: "STOP" },
    {
      name: "truncated arguments",
      answer: { content: [scriptedToolCall("read", '{"path":"a')] },
      reason: "MALFORMED_FUNCTION_CALL",
    },
  ] as const)("$name ends with $reason", async ({ answer, reason }) => {
    await using server = await createWireServer({ answers: [answer] });
    const lines = dataLines(await (await post(server, API, { ...body, stream: true })).text());
    expect(JSON.parse(lines.at(-1) ?? "").candidates[0].finishReason).toBe(reason);
  });

  test("a blocked prompt has feedback and no candidate", async () => {
    await using server = await createWireServer({ answers: [{ content: [], stopReason: "refusal" }] });
    const lines = dataLines(await (await post(server, API, { ...body, stream: true })).text());
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ promptFeedback: expect.objectContaining({ blockReason: "SAFETY" }) }),
    ]);
    expect(lines[0]).not.toContain('"candidates"');
  });

  test("AI-38: repeats Retry-After as RetryInfo, and tells a minute's limit from a day's only in the details", async () => {
    await using server = await createWireServer({
      answers: [wireFault({ kind: "rate_limit", retryAfter: "17" }), wireFault({ kind: "quota" })],
    });
    const minute = (await postForJson(server, API, body)).answer.error;
    const day = (await postForJson(server, API, body)).answer.error;
    const quota = (quotaId: string) =>
      expect.objectContaining({ violations: [expect.objectContaining({ quotaId })] });
    expect(minute.details).toEqual([
      quota("GenerateRequestsPerMinutePerProjectPerModel"),
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17s" },
    ]);
    expect(day.details).toEqual([quota("GenerateRequestsPerDayPerProjectPerModel")]);
    expect([minute.status, day.status]).toEqual(["RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED"]);
    expect(minute.message).toContain(day.message);
  });

  test("shows a script the same turns as the other formats, calls without ids by their place", async () => {
    await using server = await createWireServer({ answers: () => "ok" });
    const image = { inlineData: { mimeType: "image/png", data: "YQ==" } };
    await post(server, API, {
      systemInstruction: { parts: [{ text: "s" }] },
      tools: [{ functionDeclarations: [{ name: "read" }] }],
      ...contents(
        turn("user", { text: "a" }, image),
        turn(
          "model",
          { text: "hm", thought: true },
          { text: "b" },
          call("read", { args: { path: "p" } }),
          call("ls", { id: "c2" }),
        ),
        turn("user", result("read"), result("ls", { id: "c2", response: { error: "no" } }), {
          text: "go on",
        }),
      ),
    });
    const none = { calls: [], imageCount: 0 };
    expect(server.requests[0]).toMatchObject({
      model: "m",
      stream: false,
      tools: ["read"],
      turns: [
        { role: "system", text: "s", ...none },
        { role: "user", text: "a", calls: [], imageCount: 1 },
        {
          role: "assistant",
          text: "b",
          calls: [
            { id: "call_1_0", name: "read", arguments: '{"path":"p"}' },
            { id: "c2", name: "ls", arguments: "{}" },
          ],
          imageCount: 0,
        },
        { role: "tool", text: "x", resultFor: "call_1_0", ...none },
        { role: "tool", text: "no", resultFor: "c2", ...none },
        { role: "user", text: "go on", ...none },
      ],
    });
  });

  test("lists its models with their limits", async () => {
    await using server = await createWireServer({ answers: [], models: ["gemini-9"], contextWindow: 1_000 });
    const response = await fetch(`${server.baseUrl(API)}/models`, {
      headers: { "x-goog-api-key": server.apiKey },
    });
    expect(await response.json()).toMatchObject({
      models: [{ name: "models/gemini-9", inputTokenLimit: 1_000, outputTokenLimit: 64_000 }],
    });
  });
});
