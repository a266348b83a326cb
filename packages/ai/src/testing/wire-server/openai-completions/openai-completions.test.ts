import { describe, expect, test } from "vitest";
import { scriptedText, scriptedThinking, scriptedToolCall } from "../../scripted-answer.ts";
import { dataLines, minimalBody, post, postForJson } from "../post.ts";
import { createWireServer } from "../wire-server.ts";

const API = "openai-completions";
const body = minimalBody(API);
const user = (content: unknown) => ({ role: "user", content });
const said = (text: string) => ({ type: "text", text });
const call = (id: string, more: object = {}) => ({
  id,
  type: "function",
  function: { name: "read", arguments: "{}", ...more },
});
const calls = (...list: unknown[]) => ({ role: "assistant", content: null, tool_calls: list });
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "x" });
const messages = (...list: unknown[]) => ({ ...body, messages: list });
const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
const picture = (url: string) => user([{ type: "image_url", image_url: { url } }]);

describe("the Chat Completions server refuses", () => {
  test.each([
    {
      name: "no messages",
      body: messages(),
      message: "Invalid 'messages': empty array",
      code: "empty_array",
      param: "messages",
    },
    {
      name: "a missing model",
      body: { messages: [user("a")] },
      message: "Missing required parameter: 'model'.",
      code: "missing_required_parameter",
      param: "model",
    },
    {
      name: "an unknown field",
      body: { ...body, foo: 1 },
      message: "Unknown parameter: 'foo'.",
      code: "unknown_parameter",
      param: "foo",
    },
    {
      name: "an unknown message field",
      body: messages({ ...user("a"), timestamp: 1 }),
      message: "Unknown parameter: 'messages[0].timestamp'.",
      code: "unknown_parameter",
      param: "messages[0].timestamp",
    },
    {
      name: "an unknown role",
      body: messages({ role: "toolResult", content: "a" }),
      message: "Invalid value: 'toolResult'. Supported values are: 'system', 'developer'",
      code: "invalid_value",
      param: "messages[0].role",
    },
    {
      name: "content of a wrong type",
      body: messages(user({})),
      message: "Invalid type for 'messages[0].content': expected an array, but got an object instead.",
      code: "invalid_type",
      param: "messages[0].content",
    },
    {
      name: "AI-09: null content without calls",
      body: messages(user("a"), { role: "assistant", content: null }, user("b")),
      message: "Invalid value for 'content': expected a string, got null.",
      code: null,
      param: "messages.[1].content",
    },
    {
      name: "B120: calls at the end without results",
      body: messages(user("a"), calls(call("c1"), call("c2"))),
      message: "The following tool_call_ids did not have response messages: c1, c2",
      code: null,
      param: "messages.[2].role",
    },
    {
      name: "B121: a user message before all results are there",
      body: messages(user("a"), calls(call("c1"), call("c2")), result("c2"), user("b"), result("c1")),
      message: "The following tool_call_ids did not have response messages: c1",
      code: null,
      param: "messages.[3].role",
    },
    {
      name: "AI-02: an orphan result",
      body: messages(user("a"), result("c9")),
      message: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
      code: null,
      param: "messages.[1].role",
    },
    {
      name: "two results of one call",
      body: messages(user("a"), calls(call("c1")), result("c1"), result("c1")),
      message: "must be a response to a preceeding message",
      code: null,
      param: "messages.[3].role",
    },
    {
      name: "one id for two calls",
      body: messages(user("a"), calls(call("c1"), call("c1")), result("c1")),
      message: "Duplicate value for 'tool_call_id'",
      code: null,
      param: "messages.[1].role",
    },
    {
      name: "B126: a call id over 40 characters",
      body: messages(user("a"), calls(call("c".repeat(41))), result("c".repeat(41))),
      message: "string too long. Expected a string with maximum length 40, but got a string with length 41",
      code: "string_above_max_length",
      param: "messages[1].tool_calls[0].id",
    },
    {
      name: "a tool name with a dot",
      body: { ...body, tools: [tool("a.b")] },
      message: "does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'",
      code: "invalid_value",
      param: "tools[0].function.name",
    },
    {
      name: "a tool name over 64 characters",
      body: { ...body, tools: [tool("a".repeat(65))] },
      message: "Expected a string with maximum length 64",
      code: "string_above_max_length",
      param: "tools[0].function.name",
    },
    {
      name: "two tools of one name",
      body: { ...body, tools: [tool("a"), tool("a")] },
      message: "Tool names must be unique: 'a'.",
      code: null,
      param: "tools",
    },
    {
      name: "arguments that are no string",
      body: messages(user("a"), calls(call("c1", { arguments: {} })), result("c1")),
      message: "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string",
      code: "invalid_type",
      param: "messages[1].tool_calls[0].function.arguments",
    },
    {
      name: "B138: an empty tools array",
      body: { ...body, tools: [] },
      message: "Invalid 'tools': empty array",
      code: "empty_array",
      param: "tools",
    },
    {
      name: "an empty list of calls",
      body: messages(user("a"), calls(), user("b")),
      message: "Invalid 'messages[1].tool_calls': empty array",
      code: "empty_array",
      param: "messages[1].tool_calls",
    },
    {
      name: "a tool choice without tools",
      body: { ...body, tool_choice: "none" },
      message: "'tool_choice' is only allowed when 'tools' are specified",
      code: null,
      param: "tool_choice",
    },
    {
      name: "stream options without a stream",
      body: { ...body, stream_options: { include_usage: true } },
      message: "only allowed when 'stream' is enabled",
      code: null,
      param: "stream_options",
    },
    {
      name: "more output than the model has",
      body: { ...body, max_tokens: 64_001 },
      message: "max_tokens is too large: 64001. This model supports at most 64000 completion tokens",
      code: "invalid_value",
      param: "max_tokens",
    },
    {
      name: "an output limit of 0",
      body: { ...body, max_completion_tokens: 0 },
      message: "integer below minimum value. Expected a value >= 1, but got 0 instead.",
      code: "integer_below_min_value",
      param: "max_completion_tokens",
    },
    {
      name: "both output limits",
      body: { ...body, max_tokens: 5, max_completion_tokens: 5 },
      message: "'max_tokens' and 'max_completion_tokens' at the same time",
      code: "invalid_parameter_combination",
      param: "max_tokens",
    },
    {
      name: "B077: a cache key over 64 characters",
      body: { ...body, prompt_cache_key: "k".repeat(65) },
      message: "Expected a string with maximum length 64",
      code: "string_above_max_length",
      param: "prompt_cache_key",
    },
    {
      name: "an image type that the API does not know",
      body: messages(picture("data:image/bmp;base64,aGk=")),
      message: "unsupported image",
      code: "invalid_image_format",
      param: "messages.[0].content",
    },
    {
      name: "image data that is not base64",
      body: messages(picture("data:image/png;base64,%%")),
      message: "Invalid base64 image_url",
      code: "invalid_base64",
      param: "messages.[0].content",
    },
    {
      name: "an image in a tool result",
      body: messages(user("a"), calls(call("c1")), {
        ...result("c1"),
        content: [{ type: "image_url", image_url: { url: "https://x.example/a.png" } }],
      }),
      message: "Invalid value: 'image_url'. Supported values are: 'text'.",
      code: "invalid_value",
      param: "messages[2].content[0].type",
    },
    {
      name: "AI-04: reasoning that it never sent",
      body: messages(user("a"), { role: "assistant", content: "b", reasoning_content: "t" }, user("c")),
      message: "Unknown parameter: 'messages[1].reasoning_content'.",
      code: "unknown_parameter",
      param: "messages[1].reasoning_content",
    },
    {
      name: "B136: an escaped lone surrogate",
      body: messages(user("a\ud83d")),
      message: "not valid JSON",
      code: null,
      param: null,
    },
  ])("$name", async ({ body, message, code, param }) => {
    await using server = await createWireServer({ answers: () => "never" });
    const { status, answer } = await postForJson(server, API, body);
    expect({ status, ...answer.error }).toEqual({
      status: 400,
      message: expect.stringContaining(message),
      type: "invalid_request_error",
      code,
      param,
    });
    expect(server.rejections.map((rejection) => rejection.message)).toEqual([answer.error.message]);
    expect(server.requests).toEqual([]);
  });

  test("a wrong key, with 401 in its own shape", async () => {
    await using server = await createWireServer({ answers: ["x"], apiKey: "right" });
    const { status, answer } = await postForJson({ ...server, apiKey: "wrong" }, API, body);
    expect([status, answer.error.code, server.remaining]).toEqual([401, "invalid_api_key", 1]);
  });
});

describe("the Chat Completions server accepts", () => {
  test.each([
    {
      name: "results in another order than their calls",
      body: messages(user("a"), calls(call("c1"), call("c2")), result("c2"), result("c1"), user("b")),
    },
    {
      name: "an empty string beside calls",
      body: messages(user("a"), { ...calls(call("c1")), content: "" }, result("c1")),
    },
    { name: "an image by data URL", body: messages(picture("data:image/png;base64,aGk=")) },
    {
      name: "parts, developer role and options",
      body: {
        ...messages({ role: "developer", content: "s" }, user([said("a"), said("b")])),
        tools: [tool("read")],
        tool_choice: "auto",
        max_completion_tokens: 100,
        reasoning_effort: "low",
        prompt_cache_key: "k",
        store: false,
        stream: false,
      },
    },
  ])("$name", async ({ body }) => {
    await using server = await createWireServer({ answers: ["ok"] });
    expect([(await post(server, API, body)).status, server.rejections]).toEqual([200, []]);
  });

  test("reasoning that it sent itself", async () => {
    await using server = await createWireServer({
      answers: [[scriptedThinking("why"), scriptedText("b")], "ok"],
    });
    const { message } = (await postForJson(server, API, body)).answer.choices[0] ?? {};
    expect(message).toEqual({ role: "assistant", content: "b", refusal: null, reasoning_content: "why" });
    expect((await post(server, API, messages(user("a"), message, user("c")))).status).toBe(200);
  });

  test("fields of a dialect, when it is told about them", async () => {
    await using server = await createWireServer({ answers: ["ok"], extraFields: ["enable_thinking"] });
    expect((await post(server, API, { ...body, enable_thinking: true })).status).toBe(200);
  });
});

describe("the Chat Completions server answers", () => {
  const content = [
    scriptedThinking("hm"),
    scriptedText("Hallo"),
    scriptedToolCall("read", { path: "a" }, "c1"),
    scriptedToolCall("ls", {}, "c2"),
  ];
  const answers = [content];
  const usage = {
    prompt_tokens: 1,
    completion_tokens: 8,
    total_tokens: 9,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 1, audio_tokens: 0 },
  };

  test("in one piece", async () => {
    await using server = await createWireServer({ answers, now: () => 5_000 });
    expect((await postForJson(server, API, body)).answer).toEqual({
      id: "chatcmpl-000001",
      object: "chat.completion",
      created: 5,
      model: "m",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Hallo",
            refusal: null,
            reasoning_content: "hm",
            tool_calls: [
              { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
              { id: "c2", type: "function", function: { name: "ls", arguments: "{}" } },
            ],
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage,
    });
  });

  test("as a stream; usage comes only when asked for", async () => {
    await using server = await createWireServer({ answers: () => content });
    const stream = async (more: object) =>
      dataLines(await (await post(server, API, { ...body, stream: true, ...more })).text());
    const bare = await stream({});
    expect([bare.at(-1), bare.filter((line) => line.includes('"usage"'))]).toEqual(["[DONE]", []]);
    const chunks = (await stream({ stream_options: { include_usage: true } }))
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(chunks.map((chunk) => chunk.choices[0]?.delta)).toEqual([
      { role: "assistant", content: "", refusal: null },
      { reasoning_content: "hm" },
      { content: "Hallo" },
      { tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "read", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"path":"a"}' } }] },
      { tool_calls: [{ index: 1, id: "c2", type: "function", function: { name: "ls", arguments: "" } }] },
      { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
      {},
      undefined,
    ]);
    expect(chunks.at(-2).choices[0].finish_reason).toBe("tool_calls");
    expect(chunks.at(-1).usage).toMatchObject({ completion_tokens: 8, total_tokens: 9 });
  });

  test("B067: with cached tokens inside the prompt tokens, one cache a key", async () => {
    await using server = await createWireServer({ answers: () => "ok" });
    const counts = async (request: object) => {
      const { usage } = (await postForJson(server, API, request)).answer;
      const details = usage.prompt_tokens_details as { readonly cached_tokens: number };
      return [usage.prompt_tokens, details.cached_tokens];
    };
    const first = messages(user("u".repeat(400)));
    const grown = messages(user("u".repeat(400)), user("v".repeat(40)));
    expect(await counts(first)).toEqual([100, 0]);
    expect(await counts(grown)).toEqual([110, 100]);
    expect(await counts({ ...grown, prompt_cache_key: "other" })).toEqual([110, 0]);
  });

  test("the list of models, with a key only", async () => {
    await using server = await createWireServer({ answers: [], models: ["a", "b"] });
    const list = (key: string) =>
      fetch(`${server.baseUrl(API)}/models`, { headers: { authorization: `Bearer ${key}` } });
    expect((await list("wrong")).status).toBe(401);
    expect(await (await list(server.apiKey)).json()).toMatchObject({ data: [{ id: "a" }, { id: "b" }] });
  });
});
