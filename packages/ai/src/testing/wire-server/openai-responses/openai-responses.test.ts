import { describe, expect, test } from "vitest";
import { scriptedText, scriptedThinking, scriptedToolCall } from "../../scripted-answer.ts";
import { dataLines, minimalBody, post, postForJson } from "../post.ts";
import { createWireServer } from "../wire-server.ts";

const API = "openai-responses";
const body = minimalBody(API);
const user = (content: unknown) => ({ role: "user", content });
const call = (id: string, more: object = {}) => ({
  type: "function_call",
  call_id: id,
  name: "read",
  arguments: "{}",
  ...more,
});
const result = (id: string) => ({ type: "function_call_output", call_id: id, output: "x" });
const input = (...items: unknown[]) => ({ ...body, store: false, input: items });
const reasoning = (more: object = {}) => ({ type: "reasoning", id: "rs_9", summary: [], ...more });

describe("the Responses server refuses", () => {
  test.each([
    { name: "an empty input", body: input(), message: "Invalid 'input': empty array" },
    { name: "a missing input", body: { model: "m" }, message: "Missing required parameter: 'input'." },
    { name: "an unknown field", body: { ...body, messages: [] }, message: "Unknown parameter: 'messages'." },
    {
      name: "AI-27: scratch data in a call",
      body: input(user("a"), call("c1", { partialJson: "" }), result("c1")),
      message: "Unknown parameter: 'input[1].partialJson'.",
    },
    {
      name: "user text of the answer's kind",
      body: input(user([{ type: "output_text", text: "a" }])),
      message: "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image'.",
    },
    {
      name: "B120: a call without its output",
      body: input(user("a"), call("c1"), call("c2"), result("c1")),
      message: "No tool output found for function call c2.",
    },
    {
      name: "B121: a prompt before the output",
      body: input(user("a"), call("c1"), user("b"), result("c1")),
      message: "No tool output found for function call c1.",
    },
    {
      name: "AI-02: an orphan output",
      body: input(user("a"), result("c9")),
      message: "No tool call found for function call output with call_id c9.",
    },
    {
      name: "B126: a call id over 64 characters",
      body: input(user("a"), call("c".repeat(65)), result("c".repeat(65))),
      message: "Expected a string with maximum length 64",
    },
    {
      name: "an item id of another API",
      body: input(user("a"), call("c1", { id: "toolu_1" }), result("c1")),
      message: "Invalid 'input[1].id': 'toolu_1'. Expected an ID that begins with 'fc'.",
    },
    {
      name: "B117: reasoning that nothing follows",
      body: input(user("a"), reasoning(), user("b")),
      message: "Item 'rs_9' of type 'reasoning' was provided without its required following item.",
    },
    {
      name: "B111: encrypted reasoning of another server",
      body: input(user("a"), reasoning({ encrypted_content: "foreign" }), {
        role: "assistant",
        content: "b",
      }),
      message: "The encrypted content for item rs_9 could not be verified.",
    },
    {
      name: "AI-53: reasoning that was never stored",
      body: input(user("a"), reasoning(), { role: "assistant", content: "b" }),
      message: "Item with id 'rs_9' not found. Items are not persisted when `store` is set to false.",
    },
    {
      name: "an output limit below 16",
      body: { ...body, max_output_tokens: 15 },
      message: "Expected a value >= 16, but got 15 instead.",
    },
    {
      name: "a response that it does not keep",
      body: { ...body, previous_response_id: "resp_1" },
      message: "Previous response with id 'resp_1' not found.",
    },
    {
      name: "B077: a cache key over 64 characters",
      body: { ...body, prompt_cache_key: "k".repeat(65) },
      message: "Expected a string with maximum length 64",
    },
  ])("$name", async ({ body, message }) => {
    await using server = await createWireServer({ answers: () => "never" });
    const { status, answer } = await postForJson(server, API, body);
    expect([status, answer.error.type, answer.error.message]).toEqual([
      400,
      "invalid_request_error",
      expect.stringContaining(message),
    ]);
    expect([server.rejections.length, server.requests]).toEqual([1, []]);
  });
});

describe("the Responses server", () => {
  const content = [
    scriptedThinking("hm"),
    scriptedToolCall("read", { path: "a" }, "c1"),
    scriptedText("Hallo"),
  ];
  const include = ["reasoning.encrypted_content"];

  test("takes its own items back, and not a call without its reasoning (B118)", async () => {
    await using server = await createWireServer({ answers: [content, "ok"] });
    const answer = await (await post(server, API, { ...body, include })).json();
    const { output } = answer as { readonly output: readonly Readonly<Record<string, unknown>>[] };
    expect(output.map((item) => item.type)).toEqual(["reasoning", "function_call", "message"]);
    const [thought, asked] = output;
    expect((await post(server, API, input(user("a"), thought, asked, result("c1")))).status).toBe(200);
    const without = await postForJson(server, API, input(user("a"), asked, result("c1")));
    expect(without.answer.error.message).toBe(
      "Item 'fc_1_2' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1_1'.",
    );
    const bare = { type: "function_call", call_id: "c1", name: "read", arguments: "{}" };
    server.push("ok");
    expect((await post(server, API, input(user("a"), bare, result("c1")))).status).toBe(200);
    expect(server.requests.at(-1)?.turns).toEqual([
      { role: "user", text: "a", calls: [], imageCount: 0 },
      { role: "assistant", text: "", calls: [{ id: "c1", name: "read", arguments: "{}" }], imageCount: 0 },
      { role: "tool", text: "x", calls: [], resultFor: "c1", imageCount: 0 },
    ]);
  });

  test("streams items in order, numbered, and ends with the whole response", async () => {
    await using server = await createWireServer({ answers: [content] });
    const response = await post(server, API, { ...body, stream: true, include });
    const events = dataLines(await response.text()).map((line) => JSON.parse(line));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map((event) => event.type.replace("response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
    const done = events.filter((event) => event.type === "response.output_item.done");
    expect(events.at(-1).response.output).toEqual(done.map((event) => event.item));
    expect(events.at(-1).response.usage).toEqual({
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 8,
    });
  });

  test.each([
    { stopReason: "length", reason: "max_output_tokens" },
    { stopReason: "refusal", reason: "content_filter" },
  ] as const)("B097: $stopReason ends as incomplete for $reason", async ({ stopReason, reason }) => {
    await using server = await createWireServer({ answers: [{ content: [], stopReason }] });
    const lines = dataLines(await (await post(server, API, { ...body, stream: true })).text());
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason } },
    });
  });
});
