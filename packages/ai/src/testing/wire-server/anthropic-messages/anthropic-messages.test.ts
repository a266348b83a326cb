import { describe, expect, test } from "vitest";
import { scriptedText, scriptedThinking, scriptedToolCall } from "../../scripted-answer.ts";
import { dataLines, minimalBody, post, postForJson } from "../post.ts";
import { createWireServer } from "../wire-server.ts";

const API = "anthropic-messages";
const body = minimalBody(API);
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string, more: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "x",
  ...more,
});
const said = (text: string) => ({ type: "text", text });
const messages = (...list: unknown[]) => ({ ...body, messages: list });
const png = { type: "base64", media_type: "image/png", data: "aGk=" };
const schema = { type: "object", properties: {} };
const tool = (name: string, more: object = {}) => ({ name, input_schema: schema, ...more });
const marked = (text: string, ttl?: string) => ({
  ...said(text),
  cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) },
});
const { max_tokens: _, ...withoutMaxTokens } = body;

describe("the Messages server refuses", () => {
  test.each([
    { name: "a missing max_tokens", body: withoutMaxTokens, message: "max_tokens: Field required" },
    {
      name: "a max_tokens of 0",
      body: { ...body, max_tokens: 0 },
      message: "max_tokens: Input should be greater",
    },
    {
      name: "more output than the model has",
      body: { ...body, max_tokens: 64_001 },
      message: "max_tokens: 64001 > 64000",
    },
    { name: "an unknown field", body: { ...body, foo: 1 }, message: "foo: Extra inputs are not permitted" },
    {
      name: "an unknown block field",
      body: messages(user([{ ...said("a"), foo: 1 }])),
      message: "messages.0.content.0.foo: Extra inputs are not permitted",
    },
    {
      name: "scratch data in a call (AI-27)",
      body: messages(user("a"), assistant([{ ...use("t1"), partialJson: "" }]), user([result("t1")])),
      message: "messages.1.content.0.partialJson: Extra inputs are not permitted",
    },
    { name: "no messages", body: messages(), message: "messages: at least one message is required" },
    {
      name: "an assistant first",
      body: messages(assistant("a"), user("b")),
      message: "first message must use",
    },
    {
      name: "another role",
      body: messages({ role: "developer", content: "a" }),
      message: "messages.0.role: Input should be 'user', 'assistant', 'system'",
    },
    {
      name: "a system message behind an answer",
      body: messages(user("a"), assistant("b"), { role: "system", content: "c" }),
      message: "messages.2: a message with role 'system' must follow a message with role 'user'",
    },
    {
      name: "a system message before the user's",
      body: messages(user("a"), { role: "system", content: "b" }, user("c")),
      message: "messages.1: a message with role 'system' must be the last one or be followed by",
    },
    {
      name: "AI-09: null content",
      body: messages(user(null)),
      message: "messages.0.content: Input should be a valid array",
    },
    {
      name: "B128: empty content",
      body: messages(user("a"), assistant([]), user("b")),
      message: "messages.1: all messages must have non-empty content",
    },
    {
      name: "B128: an empty text block",
      body: messages(user([said("")])),
      message: "text content blocks must be non-empty",
    },
    {
      name: "AI-08: a blank text block",
      body: messages(user([said(" \r\n")])),
      message: "must contain non-whitespace text",
    },
    {
      name: "B130: a blank text in a tool result",
      body: messages(user("a"), assistant([use("t1")]), user([result("t1", { content: [said("")] })])),
      message: "text content blocks must be non-empty",
    },
    {
      name: "an empty system block",
      body: { ...body, system: [said("")] },
      message: "system: text content blocks must be non-empty",
    },
    {
      name: "B120: a call at the end without its result",
      body: messages(user("a"), assistant([use("t1"), use("t2")])),
      message: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1, t2",
    },
    {
      name: "B121: a call of which one result is missing",
      body: messages(user("a"), assistant([use("t1"), use("t2")]), user([result("t1")])),
      message: "immediately after: t2",
    },
    {
      name: "a result behind other content",
      body: messages(user("a"), assistant([use("t1")]), user([said("b"), result("t1")])),
      message: "immediately after: t1",
    },
    {
      name: "AI-02: an orphan result",
      body: messages(user([result("t9")])),
      message: "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t9",
    },
    {
      name: "two results of one call",
      body: messages(user("a"), assistant([use("t1")]), user([result("t1"), result("t1")])),
      message: "messages.2.content.1: each tool_use must have a single result",
    },
    {
      name: "a call id used twice",
      body: messages(user("a"), assistant([use("t1")]), user([result("t1")]), assistant([use("t1")])),
      message: "messages.3.content.0: `tool_use` ids must be unique",
    },
    {
      name: "B126: a call id with a pipe",
      body: messages(user("a"), assistant([use("call|fc")]), user([result("call|fc")])),
      message: "messages.1.content.0.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    },
    {
      name: "AI-26: arguments that are no object",
      body: messages(user("a"), assistant([{ ...use("t1"), input: "{}" }]), user([result("t1")])),
      message: "messages.1.content.0.input: Input should be a valid dictionary",
    },
    {
      name: "B111: a foreign signature",
      body: messages(
        user("a"),
        assistant([{ type: "thinking", thinking: "t", signature: "reasoning_content" }, said("b")]),
        user("c"),
      ),
      message: "messages.1.content.0: Invalid `signature` in `thinking` block",
    },
    {
      name: "thinking without a signature",
      body: messages(user("a"), assistant([{ type: "thinking", thinking: "t" }, said("b")]), user("c")),
      message: "messages.1.content.0.signature: Field required",
    },
    {
      name: "redacted thinking that is not its own",
      body: messages(user("a"), assistant([{ type: "redacted_thinking", data: "x" }, said("b")]), user("c")),
      message: "Invalid `data` in `redacted_thinking` block",
    },
    {
      name: "a call in a user message",
      body: messages(user([use("t1")])),
      message: "`tool_use` blocks can only be in `assistant` messages",
    },
    {
      name: "an image in an assistant message",
      body: messages(user("a"), assistant([{ type: "image", source: png }])),
      message: "`image` blocks can only be in `user` messages",
    },
    {
      name: "an image type that the API does not know",
      body: messages(user([{ type: "image", source: { ...png, media_type: "image/bmp" } }])),
      message: "messages.0.content.0.source.media_type: Input should be 'image/jpeg'",
    },
    {
      name: "image data that is not base64",
      body: messages(user([{ type: "image", source: { ...png, data: "data:image/png;base64,aGk=" } }])),
      message: "invalid base64 data",
    },
    {
      name: "AI-11: an image in an error result",
      body: messages(
        user("a"),
        assistant([use("t1")]),
        user([result("t1", { is_error: true, content: [{ type: "image", source: png }] })]),
      ),
      message: 'all content must be type "text" if `is_error` is true',
    },
    {
      name: "a final assistant text that ends in a space",
      body: messages(user("a"), assistant("b ")),
      message: "final assistant content cannot end with trailing whitespace",
    },
    {
      name: "a tool name with a dot",
      body: { ...body, tools: [tool("a.b")] },
      message: "tools.0.name: String should match pattern",
    },
    {
      name: "two tools of one name",
      body: { ...body, tools: [tool("a"), tool("a")] },
      message: "Tool names must be unique",
    },
    {
      name: "a tool schema that is no object",
      body: { ...body, tools: [tool("a", { input_schema: { type: "string" } })] },
      message: "tools.0.custom.input_schema.type: Input should be 'object'",
    },
    {
      name: "AI-15: a union at the top of a tool schema",
      body: { ...body, tools: [tool("a", { input_schema: { ...schema, anyOf: [] } })] },
      message: "does not support oneOf, allOf, or anyOf at the top level",
    },
    {
      name: "a tool choice without tools",
      body: { ...body, tool_choice: { type: "auto" } },
      message: "tool_choice: may only be specified while providing tools",
    },
    {
      name: "AI-45: a thinking budget that leaves no output",
      body: { ...body, max_tokens: 2_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
      message: "`max_tokens` must be greater than `thinking.budget_tokens`",
    },
    {
      name: "a thinking budget below the minimum",
      body: { ...body, thinking: { type: "enabled", budget_tokens: 50 } },
      message: "thinking.budget_tokens: Input should be greater than or equal to 1024",
    },
    {
      name: "AI-47: a temperature beside thinking",
      body: {
        ...body,
        max_tokens: 3_000,
        temperature: 0,
        thinking: { type: "enabled", budget_tokens: 1_024 },
      },
      message: "`temperature` may only be set to 1 when thinking is enabled",
    },
    {
      name: "more than four cache markers",
      body: messages(user([1, 2, 3, 4, 5].map((n) => marked(`t${n}`)))),
      message: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    },
    {
      name: "a long cache marker after a short one",
      body: messages(user([marked("a"), marked("b", "1h")])),
      message: "must not come after a ttl='5m'",
    },
    { name: "B136: an escaped lone surrogate", body: messages(user("a\ud83d")), message: "not valid JSON" },
    {
      name: "a body that is not UTF-8",
      body: Buffer.from([0x7b, 0xff, 0x7d]),
      message: "not valid UTF-8",
    },
    { name: "a body that is not JSON", body: "{", message: "The request body is not valid JSON" },
  ])("$name", async ({ body, message }) => {
    await using server = await createWireServer({ answers: () => "never" });
    const { status, answer } = await postForJson(server, API, body);
    expect([status, answer.type, answer.error.type]).toEqual([400, "error", "invalid_request_error"]);
    expect(answer.error.message).toContain(message);
    expect(server.rejections.map((rejection) => rejection.message)).toEqual([answer.error.message]);
    expect(server.requests).toEqual([]);
  });

  test("a wrong key, with 401 in its own shape", async () => {
    await using server = await createWireServer({ answers: ["x"], apiKey: "right" });
    const { status, answer } = await postForJson({ ...server, apiKey: "wrong" }, API, body);
    expect([status, answer.error.type]).toEqual([401, "authentication_error"]);
    expect([server.rejections[0]?.status, server.remaining]).toEqual([401, 1]);
  });
});

describe("the Messages server accepts", () => {
  test.each([
    { name: "two user messages in a row", body: messages(user("a"), user("b")) },
    { name: "an empty final assistant message", body: messages(user("a"), assistant([])) },
    {
      name: "parallel calls with text behind their results",
      body: messages(
        user("a"),
        assistant([said("b"), use("t1"), use("t2")]),
        user([result("t2"), result("t1", { is_error: true }), said("c")]),
      ),
    },
    {
      name: "a result without content",
      body: messages(user("a"), assistant([use("t1")]), user([{ type: "tool_result", tool_use_id: "t1" }])),
    },
    {
      name: "an image in a result",
      body: messages(
        user("a"),
        assistant([use("t1")]),
        user([result("t1", { content: [{ type: "image", source: png }] })]),
      ),
    },
    {
      name: "system blocks, tools, markers and adaptive thinking",
      body: {
        ...messages(user([marked("a")])),
        system: [marked("s", "1h")],
        tools: [tool("read", { description: "d", cache_control: { type: "ephemeral", ttl: "1h" } })],
        tool_choice: { type: "auto" },
        thinking: { type: "adaptive", display: "summarized" },
        output_config: { effort: "high" },
        metadata: { user_id: "u" },
        stream: false,
      },
    },
  ])("$name", async ({ body }) => {
    await using server = await createWireServer({ answers: ["ok"] });
    const response = await post(server, API, body);
    expect([response.status, server.rejections]).toEqual([200, []]);
  });

  test("its own thinking, unchanged, also of another server with the same seed; changed thinking is refused", async () => {
    const content = [scriptedThinking("deep thought"), scriptedText("42")];
    await using first = await createWireServer({ answers: [content] });
    const { answer: message } = await postForJson(first, API, body);
    const again = messages(user("a"), assistant(message.content), user("b"));
    await using second = await createWireServer({ answers: ["ok"] });
    await using foreign = await createWireServer({ answers: ["ok"], signatureSeed: "another" });
    expect((await post(second, API, again)).status).toBe(200);
    expect((await post(foreign, API, again)).status).toBe(400);
    const [thinking, text] = message.content;
    const changed = [{ ...thinking, thinking: "shallow" }, text];
    const { answer } = await postForJson(second, API, messages(user("a"), assistant(changed), user("b")));
    expect(answer.error.message).toContain("cannot be modified");
  });
});

test.each([
  { thinkingStartsToolTurns: true, budget_tokens: 1_024, tail: [], status: 400 },
  { thinkingStartsToolTurns: false, budget_tokens: 1_024, tail: [], status: 200 },
  { thinkingStartsToolTurns: true, budget_tokens: undefined, tail: [], status: 200 },
  { thinkingStartsToolTurns: true, budget_tokens: 1_024, tail: [assistant("b"), user("c")], status: 200 },
])(
  "a foreign tool turn under a thinking budget: $status for $thinkingStartsToolTurns, $budget_tokens, $tail",
  async (row) => {
    const { thinkingStartsToolTurns, budget_tokens, tail, status } = row;
    await using server = await createWireServer({ answers: () => "ok", thinkingStartsToolTurns });
    const turns = [user("a"), assistant([use("t1")]), user([result("t1")]), ...tail];
    const thinking = budget_tokens === undefined ? {} : { thinking: { type: "enabled", budget_tokens } };
    const { answer, ...reply } = await postForJson(server, API, {
      ...messages(...turns),
      max_tokens: 2_048,
      ...thinking,
    });
    expect(reply.status).toBe(status);
    if (status === 400)
      expect(answer.error.message).toContain("messages.1.content.0.type: Expected `thinking`");
  },
);

describe("the Messages server answers", () => {
  const content = [
    scriptedThinking("hm"),
    scriptedText("Hallo"),
    scriptedToolCall("read", { path: "a" }, "toolu_1"),
  ];

  test("in one piece", async () => {
    await using server = await createWireServer({ answers: [content] });
    expect(await (await post(server, API, body)).json()).toEqual({
      id: "msg_000001",
      type: "message",
      role: "assistant",
      model: "m",
      stop_sequence: null,
      stop_reason: "tool_use",
      content: [
        { type: "thinking", thinking: "hm", signature: expect.any(String) },
        { type: "text", text: "Hallo" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
      ],
      usage: {
        input_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 7,
        service_tier: "standard",
      },
    });
  });

  test("as a stream in the order of the format", async () => {
    await using server = await createWireServer({ answers: [{ content, pace: { chunkSize: 3 } }] });
    const response = await post(server, API, { ...body, stream: true });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = dataLines(await response.text()).map((line) => JSON.parse(line));
    expect(events.map((event) => event.delta?.type ?? event.content_block?.type ?? event.type)).toEqual([
      "message_start",
      "thinking",
      "thinking_delta",
      "signature_delta",
      "content_block_stop",
      "text",
      "text_delta",
      "text_delta",
      "content_block_stop",
      "tool_use",
      "input_json_delta",
      "input_json_delta",
      "input_json_delta",
      "input_json_delta",
      "input_json_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 7 },
    });
  });

  test.each([
    { stopReason: "length", wire: "max_tokens" },
    { stopReason: "refusal", wire: "refusal" },
    { stopReason: "stop", wire: "end_turn" },
  ] as const)("stop reason $stopReason is $wire", async ({ stopReason, wire }) => {
    await using server = await createWireServer({ answers: [{ content: [], stopReason }] });
    expect((await postForJson(server, API, body)).answer.stop_reason).toBe(wire);
  });

  test("with cached tokens only where markers stand, and only up to the last marker", async () => {
    await using server = await createWireServer({ answers: () => "ok" });
    const counts = async (request: unknown) => {
      const { usage } = (await postForJson(server, API, request)).answer;
      return [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
    };
    const system = [marked("s".repeat(400), "1h")];
    const first = user([marked("u".repeat(40))]);
    expect(await counts({ ...messages(user("plain ask")), system: "s".repeat(400) })).toEqual([103, 0, 0]);
    expect(await counts({ ...messages(first), system })).toEqual([0, 110, 0]);
    const grown = [user([said("u".repeat(40))]), assistant("a".repeat(8)), user([marked("v".repeat(20))])];
    expect(await counts({ ...messages(...grown), system })).toEqual([0, 7, 110]);
    const tail = [...grown, assistant("ok"), user("w".repeat(20))];
    expect(await counts({ ...messages(...tail), system })).toEqual([6, 0, 117]);
    expect(await counts({ ...messages(first), system: [marked("changed")] })).toEqual([0, 12, 0]);
  });
});
