import { describe, expect, test } from "vitest";
import type { Message } from "../../message.ts";
import type { Model } from "../../model.ts";
import { createModelRegistry } from "../../model-registry.ts";
import { repairHistory } from "../../repair/repair-history.ts";
import type { ChatRequest } from "../../request.ts";
import { ZERO_USAGE } from "../../usage.ts";
import { encode } from "./encode.ts";
import { createProvider } from "./index.ts";
import { type Quirks, quirksOf } from "./quirks.ts";

const MODEL: Model = {
  id: "m",
  name: "m",
  api: "openai-completions",
  provider: "p",
  baseUrl: "http://127.0.0.1/v1",
  reasoning: true,
  input: ["text"],
  contextWindow: 100_000,
  maxTokens: 1000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};
const TOOL = { name: "read", description: "Reads.", parameters: { type: "object", properties: {} } };
const answer = (content: Extract<Message, { role: "assistant" }>["content"]): Message => ({
  role: "assistant",
  content,
  api: MODEL.api,
  provider: "p",
  model: "m",
  usage: ZERO_USAGE,
  stopReason: "toolUse",
  timestamp: 2,
});
const HISTORY: readonly Message[] = [
  { role: "user", content: "a", timestamp: 1 },
  answer([{ type: "toolCall", id: "c1", name: "read", arguments: {} }]),
  {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "text", text: "r" }],
    isError: false,
    timestamp: 3,
  },
  { role: "user", content: "b", timestamp: 4 },
];

/** Everything a caller may ask for at once; servers that nothing is known of get the common fields only. */
const REQUEST: ChatRequest = {
  model: MODEL,
  messages: HISTORY,
  systemPrompt: "sys",
  tools: [TOOL],
  thinkingLevel: "high",
  sessionId: "s1",
  cacheRetention: "long",
};

const bodyFor = (quirks: Partial<Quirks>, patch: Partial<ChatRequest> = {}) =>
  encode({ ...REQUEST, ...patch, model: { ...MODEL, ...patch.model, quirks: { ...quirks } } });

test("AI-47, AI-53: a server that nothing is known of gets the common fields only", () => {
  expect(Object.keys(bodyFor({})).sort()).toEqual([
    "messages",
    "model",
    "reasoning_effort",
    "stream",
    "stream_options",
    "tools",
  ]);
  expect(bodyFor({}).messages.map((message) => message.role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "user",
  ]);
});

describe("a quirk changes what is sent", () => {
  test.each<{ quirks: Partial<Quirks>; patch?: Partial<ChatRequest>; body: object }>([
    { quirks: { supportsStore: true }, body: { store: false } },
    { quirks: { supportsUsageInStreaming: false }, body: { stream_options: undefined } },
    { quirks: { supportsReasoningEffort: false }, body: { reasoning_effort: undefined } },
    {
      quirks: { supportsPromptCacheKey: true },
      body: { prompt_cache_key: "s1", prompt_cache_retention: undefined },
    },
    {
      quirks: { supportsPromptCacheKey: true, supportsLongCacheRetention: true },
      body: { prompt_cache_key: "s1", prompt_cache_retention: "24h" },
    },
    { quirks: { maxTokensField: "max_tokens" }, patch: { maxOutputTokens: 50 }, body: { max_tokens: 50 } },
    {
      quirks: { maxTokensField: "max_completion_tokens" },
      patch: { maxOutputTokens: 50 },
      body: { max_completion_tokens: 50, max_tokens: undefined },
    },
    { quirks: { sendsOutputLimit: true }, body: { max_tokens: 1000 } },
    { quirks: { thinkingFormat: "openai" }, body: { reasoning_effort: "high" } },
    {
      quirks: { thinkingFormat: "openrouter" },
      body: { reasoning: { effort: "high" }, reasoning_effort: undefined },
    },
    {
      quirks: { thinkingFormat: "deepseek" },
      body: { thinking: { type: "enabled" }, reasoning_effort: "high" },
    },
    {
      quirks: { thinkingFormat: "deepseek" },
      patch: { thinkingLevel: "off" },
      body: { thinking: { type: "disabled" }, reasoning_effort: undefined },
    },
    {
      quirks: { thinkingFormat: "zai" },
      body: { thinking: { type: "enabled" }, reasoning_effort: undefined },
    },
    { quirks: { thinkingFormat: "together" }, body: { reasoning: { enabled: true } } },
    { quirks: { thinkingFormat: "qwen" }, body: { enable_thinking: true, reasoning_effort: undefined } },
    {
      quirks: { thinkingFormat: "chat-template", chatTemplateArgs: { keep: 1 } },
      patch: { thinkingLevel: "off" },
      body: { chat_template_kwargs: { enable_thinking: false, keep: 1 } },
    },
    {
      quirks: {
        thinkingFormat: "baseten",
        supportsReasoningEffort: false,
        chatTemplateArgs: { enable_thinking: { $var: "thinking.enabled" } },
      },
      body: { chat_template_args: { enable_thinking: true } },
    },
    { quirks: { thinkingTokenBudgetField: "thinking_budget" }, body: { thinking_budget: 16_384 } },
    { quirks: { zaiToolStream: true }, body: { tool_stream: true } },
    { quirks: { requiresToolsField: true }, patch: { tools: [] }, body: { tools: [] } },
    { quirks: { openRouterRouting: { only: ["x"] } }, body: { provider: { only: ["x"] } } },
    {
      quirks: { vercelGatewayRouting: { order: ["x"] } },
      body: { providerOptions: { gateway: { order: ["x"] } } },
    },
  ])("$quirks", ({ quirks, patch, body }) => {
    const sent: Readonly<Record<string, unknown>> = bodyFor(quirks, patch);
    for (const [field, value] of Object.entries(body))
      expect({ [field]: sent[field] }).toEqual({ [field]: value });
  });

  test.each<{ quirks: Partial<Quirks>; at: number; message: object }>([
    { quirks: { supportsDeveloperRole: true }, at: 0, message: { role: "developer", content: "sys" } },
    {
      quirks: { cacheControlFormat: "anthropic" },
      at: 0,
      message: {
        role: "system",
        content: [{ type: "text", text: "sys", cache_control: { type: "ephemeral" } }],
      },
    },
    {
      quirks: { requiresNonNullAssistantContent: true },
      at: 2,
      message: { role: "assistant", content: "", tool_calls: expect.any(Array) },
    },
    {
      quirks: { requiresReasoningContentOnAssistantMessages: true },
      at: 2,
      message: { role: "assistant", content: null, tool_calls: expect.any(Array), reasoning_content: "" },
    },
    {
      quirks: { requiresToolResultName: true },
      at: 3,
      message: { role: "tool", tool_call_id: "c1", content: "r", name: "read" },
    },
    {
      quirks: { requiresAssistantAfterToolResult: true },
      at: 4,
      message: { role: "assistant", content: "I have the results." },
    },
  ])("AI-09, AI-13: $quirks in the messages", ({ quirks, at, message }) => {
    expect(bodyFor(quirks).messages[at]).toEqual(message);
  });

  test("AI-10: text alone is a string, also where it came in blocks", () => {
    const blocks: Message = {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      timestamp: 1,
    };
    expect(encode({ model: MODEL, messages: [blocks] }).messages).toEqual([
      { role: "user", content: "a\nb" },
    ]);
  });

  test("AI-15, AI-16: no schema is sent as strict", () => {
    expect(JSON.stringify(bodyFor({}))).not.toContain("strict");
  });

  test.each([
    { quirks: { sendSessionAffinityHeaders: false }, sent: { openai: null, openrouter: null } },
    { quirks: { sendSessionAffinityHeaders: true }, sent: { openai: "s1", openrouter: null } },
    {
      quirks: { sendSessionAffinityHeaders: true, sessionAffinityFormat: "openrouter" },
      sent: { openai: null, openrouter: "s1" },
    },
  ])("$quirks in the headers", async ({ quirks, sent }) => {
    let headers = new Headers();
    const model = { ...MODEL, quirks };
    const io = {
      now: () => 0,
      newId: () => "id",
      fetch: async (_url: unknown, init?: RequestInit) => {
        headers = new Headers(init?.headers);
        return new Response("");
      },
    };
    await createProvider()
      .stream({ ...REQUEST, model, cacheRetention: "none" }, io)
      .result();
    expect({
      openai: headers.get("x-session-affinity"),
      openrouter: headers.get("x-session-id"),
    }).toEqual(sent);
  });

  test.each([
    { supportsFinishReason: true, stopReason: "error" },
    { supportsFinishReason: false, stopReason: "stop" },
  ])("supportsFinishReason $supportsFinishReason: an end without a reason is $stopReason", async (row) => {
    const model = { ...MODEL, quirks: { supportsFinishReason: row.supportsFinishReason } };
    const io = {
      now: () => 0,
      newId: () => "id",
      fetch: async () => new Response('data: {"id":"1","choices":[{"delta":{"content":"Hi"}}]}\n\n'),
    };
    expect(
      (
        await createProvider()
          .stream({ ...REQUEST, model }, io)
          .result()
      ).stopReason,
    ).toBe(row.stopReason);
  });
});

describe("AI-51: the dialect of a host", () => {
  test.each([
    { url: "https://API.OPENAI.com/v1", quirk: "supportsStore", value: true },
    { url: "https://eu.api.openai.com/v1", quirk: "supportsStore", value: true },
    { url: "https://api.openai.com.evil.test/v1", quirk: "supportsStore", value: false },
    { url: "https://proxy.test/api.openai.com", quirk: "supportsStore", value: false },
    { url: "https://openrouter.ai/api/v1", quirk: "thinkingFormat", value: "openrouter" },
    { url: "not a url", quirk: "thinkingFormat", value: "openai" },
  ] as const)("$url: $quirk is $value", ({ url, quirk, value }) => {
    expect(quirksOf({ baseUrl: url })[quirk]).toBe(value);
  });

  test("is only a fallback: the model's own quirks win, field by field", () => {
    const quirks = quirksOf({ baseUrl: "https://api.openai.com/v1", quirks: { supportsStore: false } });
    expect([quirks.supportsStore, quirks.supportsDeveloperRole]).toEqual([false, true]);
  });
});

/** Quirks of the catalogue that change nothing here, and why. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  supportsStrictMode: "schemas are never sent as strict",
  supportsStrictTools: "schemas are never sent as strict",
  supportsMidConvoToolAdditions: "tools always stand in the tools field",
  supportsMidConvoToolChanges: "tools always stand in the tools field",
  supportsAdditionalTools: "tools always stand in the tools field",
  supportsMidConvoEffort: "the effort of a request holds for all of it",
  supportsOpenAIGrammarTools: "tools take JSON arguments",
  supportsToolSearch: "all tools are sent",
  supportsEagerToolInputStreaming: "arguments stream as the server likes",
  supportsExplicitPromptCacheMode: "prompts are cached by key and prefix",
};
/** Quirks that the other formats read. */
const OTHER_FORMATS = [
  "allowEmptySignature",
  "forceAdaptiveThinking",
  "supportsCacheControlOnTools",
  "supportsMidConvoSystemMessages",
  "supportsTemperature",
];

test("every quirk in the catalogue is honoured or listed with a reason", async () => {
  const models = await createModelRegistry().list();
  const names = new Set(models.flatMap((model) => Object.keys(model.quirks ?? {})));
  const known = new Set([...Object.keys(quirksOf(MODEL)), ...OTHER_FORMATS, ...Object.keys(WITHOUT_EFFECT)]);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
});

test("AI-13, AI-14: a system message in the middle moves to the head, and no empty tools are sent", () => {
  const system: Message = { role: "system", content: "more", timestamp: 5 };
  const request = repairHistory({ ...REQUEST, tools: [], messages: [...HISTORY, system] });
  const body = encode(request);
  expect(body.messages[0]).toEqual({ role: "system", content: "sys\n\nmore" });
  expect("tools" in body).toBe(false);
});
