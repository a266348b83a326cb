import assert from "node:assert/strict";
import type { AssistantMessage, Message, ToolResultMessage } from "../../message.ts";
import type { ToolSpec } from "../../tool-schema.ts";
import { scriptedText, scriptedThinking, scriptedToolCall } from "../scripted-answer.ts";
import { conformanceCase } from "./conformance-case.ts";

const PIXEL = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;

const readTool: ToolSpec = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as never,
};

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });

const resultsOf = (message: AssistantMessage, content: ToolResultMessage["content"]): Message[] =>
  message.content.flatMap((block) =>
    block.type === "toolCall"
      ? [
          {
            role: "toolResult",
            toolCallId: block.id,
            toolName: block.name,
            content,
            isError: false,
            timestamp: 2,
          },
        ]
      : [],
  );

const text = (message: AssistantMessage) =>
  message.content.map((block) => (block.type === "text" ? block.text : "")).join("");

/** The content without what only its provider understands. */
const plainContent = (message: AssistantMessage) =>
  message.content.map((block) => {
    if (block.type !== "text") return block;
    return { type: block.type, text: block.text };
  });

const MULTI_BYTE = "Grüße, 漢字 and 😀.";

/** What a good answer must become. */
export const answerCases = [
  conformanceCase({
    name: "text arrives in deltas and ends with stop, usage and the model's name",
    server: { answers: [{ content: [scriptedText("Hello there.")], pace: { chunkSize: 4 } }] },
    async run({ call, model }) {
      const { events, message } = await call({ messages: [user("hi")] });
      assert.deepEqual(plainContent(message), [{ type: "text", text: "Hello there." }]);
      assert.equal(events.filter((event) => event.type === "text_delta").length, 3);
      const { stopReason, api, provider } = message;
      assert.deepEqual(
        { stopReason, api, provider, model: message.model },
        { stopReason: "stop", api: model.api, provider: model.provider, model: model.id },
      );
      const { input, cacheWrite, output } = message.usage;
      assert.ok(input + cacheWrite > 0 && output > 0);
      assert.ok(message.usage.cost.total > 0);
    },
  }),
  conformanceCase({
    name: "B091, AI-20: multi-byte text survives chunks of one byte",
    server: {
      answers: [{ content: [scriptedText(MULTI_BYTE)], framing: { chunkBytes: 1 }, pace: { chunkSize: 3 } }],
    },
    async run({ call }) {
      assert.equal(text((await call({ messages: [user("hi")] })).message), MULTI_BYTE);
    },
  }),
  conformanceCase({
    name: "AI-19, B088, B098: CRLF, comments, pings and unknown events change nothing",
    server: {
      answers: [
        {
          content: [scriptedText(MULTI_BYTE), scriptedToolCall("read", { path: "a" }, "c1")],
          framing: { newline: "\r\n", keepAlives: true, unknownEvents: true, chunkBytes: 7 },
        },
      ],
    },
    async run({ call }) {
      const { message } = await call({ messages: [user("hi")], tools: [readTool] });
      assert.deepEqual(plainContent(message), [
        { type: "text", text: MULTI_BYTE },
        { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
      ]);
    },
  }),
  conformanceCase({
    name: "B111, AI-05: thinking and two parallel calls go back as they came, with their results",
    server: {
      answers: [
        [
          scriptedThinking("I need both files."),
          scriptedText("Reading."),
          scriptedToolCall("read", { path: "a" }),
          scriptedToolCall("read", { path: "b" }),
        ],
        "Both are fine.",
      ],
    },
    async run({ call, server }) {
      const ask = { tools: [readTool], thinkingLevel: "medium", systemPrompt: "Be brief." } as const;
      const first = await call({ ...ask, messages: [user("compare")] });
      assert.equal(first.message.stopReason, "toolUse");
      const results = resultsOf(first.message, [{ type: "text", text: "same" }]);
      const second = await call({ ...ask, messages: [user("compare"), first.message, ...results] });
      assert.equal(text(second.message), "Both are fine.");
      const roles = server.requests[1]?.turns.map((turn) => turn.role);
      assert.deepEqual(roles, ["system", "user", "assistant", "tool", "tool"]);
      assert.deepEqual(
        server.requests[1]?.turns.filter((turn) => turn.role === "tool").map((turn) => turn.resultFor),
        server.requests[1]?.turns[2]?.calls.map((each) => each.id),
      );
    },
  }),
  conformanceCase({
    name: "B103: a call without arguments is one call with an empty object",
    server: { answers: [scriptedToolCall("ls", "", "c1")] },
    async run({ call }) {
      const { message } = await call({ messages: [user("hi")] });
      assert.deepEqual(message.content, [{ type: "toolCall", id: "c1", name: "ls", arguments: {} }]);
    },
  }),
  conformanceCase({
    name: "AI-25: truncated arguments become an invalid call that says why, or an error; never a call that runs",
    server: { answers: [scriptedToolCall("read", '{"path":"a', "c1")] },
    async run({ call }) {
      const { message } = await call({ messages: [user("hi")] });
      const [block, ...others] = message.content;
      if (block === undefined) {
        assert.deepEqual([message.stopReason, message.error?.retryable], ["error", true]);
        return;
      }
      assert.ok(block.type === "toolCall" && block.argumentsError !== undefined);
      assert.deepEqual([block.arguments, others], [{}, []]);
    },
  }),
  conformanceCase({
    name: "AI-29: an answer cut by its length stops with length",
    server: { answers: [{ content: [scriptedText("and then")], stopReason: "length" }] },
    async run({ call }) {
      assert.equal((await call({ messages: [user("hi")] })).message.stopReason, "length");
    },
  }),
  conformanceCase({
    name: "B075: a model whose output is as large as its window asks for what is left of it",
    server: {
      answers: () => "ok",
      contextWindow: 32_000,
      maxOutputTokens: 32_000,
      windowIncludesOutput: true,
    },
    model: { maxTokens: 32_000 },
    async run({ call, server }) {
      for (const length of [1, 40_000, 100_000]) {
        const { message } = await call({ messages: [user("x".repeat(length))], maxOutputTokens: 32_000 });
        assert.equal(message.stopReason, "stop", message.errorMessage);
      }
      assert.deepEqual(server.overflows, []);
    },
  }),
  conformanceCase({
    name: "AI-11: images of a prompt and of a tool result reach the model",
    server: { answers: [scriptedToolCall("read", { path: "a.png" }), "A pixel."] },
    async run({ call, server }) {
      const prompt: Message = {
        role: "user",
        content: [{ type: "text", text: "look" }, PIXEL],
        timestamp: 1,
      };
      const { message } = await call({ messages: [prompt], tools: [readTool] });
      await call({ messages: [prompt, message, ...resultsOf(message, [PIXEL])], tools: [readTool] });
      const images = server.requests[1]?.turns.reduce((sum, turn) => sum + turn.imageCount, 0);
      assert.equal(images, 2);
    },
  }),
  conformanceCase({
    name: "B067, B068: the second request of a session reports the shared prefix as cached, never twice",
    server: { answers: () => "ok" },
    async run({ call }) {
      const systemPrompt = "You are careful. ".repeat(400);
      const session = { systemPrompt, sessionId: "s1", cacheRetention: "short" } as const;
      const first = await call({ ...session, messages: [user("one")] });
      const messages = [user("one"), first.message, user("two")];
      const { usage } = (await call({ ...session, messages })).message;
      assert.ok(usage.cacheRead >= 1_700, `cacheRead is ${usage.cacheRead}`);
      assert.ok(usage.input + usage.cacheWrite < 100, `uncached is ${usage.input + usage.cacheWrite}`);
    },
  }),
  conformanceCase({
    name: "AI-01, AI-08, B127, B136: a history full of blanks, orphans and failures is repaired, not refused",
    server: { answers: () => "ok" },
    async run({ call, model }) {
      const failed: AssistantMessage = {
        role: "assistant",
        content: [{ type: "toolCall", id: "lost|fc_1", name: "read", arguments: { path: "\ud83d" } }],
        api: model.api,
        provider: model.provider,
        model: model.id,
        usage: (await call({ messages: [user("x")] })).message.usage,
        stopReason: "error",
        timestamp: 1,
      };
      const blank: AssistantMessage = {
        ...failed,
        content: [{ type: "text", text: " " }],
        stopReason: "stop",
      };
      const open: AssistantMessage = { ...failed, stopReason: "toolUse" };
      const [orphan = user("never")] = resultsOf({ ...open }, [{ type: "text", text: "" }]);
      const messages = [user("\ud83d half"), blank, failed, orphan, user("go on"), open, user("again")];
      assert.equal((await call({ messages, tools: [readTool] })).message.stopReason, "stop");
    },
  }),
];
