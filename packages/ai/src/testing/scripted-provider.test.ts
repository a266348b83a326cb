import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { assemble } from "../assemble.ts";
import type { AssistantMessage } from "../message.ts";
import type { MessageStream } from "../message-stream.ts";
import type { ChatRequest } from "../request.ts";
import type { StreamEvent } from "../stream-event.ts";
import { scriptedError, scriptedText, scriptedThinking, scriptedToolCall } from "./scripted-answer.ts";
import { scriptedModel } from "./scripted-model.ts";
import { createScriptedProvider } from "./scripted-provider.ts";
import { scriptedStream } from "./scripted-stream.ts";

const now = () => 1_000;
const model = scriptedModel();
const ask = (text: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model,
  messages: [{ role: "user", content: text, timestamp: 1 }],
  ...more,
});

async function eventsOf(stream: MessageStream): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("a scripted model", () => {
  test("streams text in deltas and ends with the whole message", async () => {
    const stream = scriptedStream([{ content: [scriptedText("Hallo 🔥!")], pace: { chunkSize: 7 } }], {
      now,
    });
    const events = await eventsOf(stream(ask("12345678")));
    expect(events.slice(1, -1)).toEqual([
      { type: "text_start", contentIndex: 0 },
      { type: "text_delta", contentIndex: 0, delta: "Hallo 🔥" },
      { type: "text_delta", contentIndex: 0, delta: "!" },
      { type: "text_end", contentIndex: 0, block: { type: "text", text: "Hallo 🔥!" } },
    ]);
    expect(events.at(-1)).toEqual({
      type: "done",
      message: {
        role: "assistant",
        content: [{ type: "text", text: "Hallo 🔥!" }],
        api: "scripted",
        provider: "scripted",
        model: "scripted-1",
        responseId: "response_1",
        usage: {
          input: 2,
          output: 3,
          cacheRead: 0,
          cacheWrite: 0,
          totalTokens: 5,
          cost: { input: 6e-6, output: 4.5e-5, cacheRead: 0, cacheWrite: 0, total: 6e-6 + 4.5e-5 },
        },
        stopReason: "stop",
        timestamp: 1_000,
      },
    });
  });

  test("the events assemble to the message of the terminal event", async () => {
    const stream = scriptedStream(
      [
        [
          scriptedThinking("hm, yes, let me look"),
          scriptedText("ok"),
          scriptedToolCall("read", { path: "a" }),
        ],
      ],
      { now },
    );
    const events = await eventsOf(stream(ask("x")));
    const before = events.slice(0, -1).reduce<AssistantMessage | undefined>(assemble, undefined);
    const last = events.at(-1);
    expect(last?.type).toBe("done");
    expect(last?.type === "done" && last.message.content).toEqual(before?.content);
    expect(before?.content).toEqual([
      { type: "thinking", thinking: "hm, yes, let me look", thinkingSignature: "signature_1_1" },
      { type: "text", text: "ok" },
      { type: "toolCall", id: "call_1_3", name: "read", arguments: { path: "a" } },
    ]);
    expect(last?.type === "done" && last.message.stopReason).toBe("toolUse");
  });

  test("arguments that are not a JSON object become an invalid call, not a run", async () => {
    const stream = scriptedStream([scriptedToolCall("read", '{"path":', "c1")]);
    expect((await stream(ask("x")).result()).content).toEqual([
      {
        type: "toolCall",
        id: "c1",
        name: "read",
        arguments: {},
        argumentsError: expect.stringContaining('{"path":'),
      },
    ]);
  });

  test("answers come in the order of the calls, also for streams read in another order", async () => {
    const stream = scriptedStream(["first", "second"]);
    const a = stream(ask("a"));
    const b = stream(ask("b"));
    const second = await b.result();
    const first = await a.result();
    expect([first.content, second.content]).toEqual([
      [{ type: "text", text: "first" }],
      [{ type: "text", text: "second" }],
    ]);
    expect(stream.requests.map((request) => request.messages[0]?.content)).toEqual(["a", "b"]);
  });

  test("a function answers from the request and the number of the call", async () => {
    const stream = scriptedStream(
      async (request, callIndex) => `${callIndex}:${request.messages[0]?.content}`,
    );
    const texts = [await stream(ask("a")).result(), await stream(ask("b")).result()].map((m) => m.content);
    expect(texts).toEqual([[{ type: "text", text: "0:a" }], [{ type: "text", text: "1:b" }]]);
  });

  test("an empty queue ends in an error that says so; more answers can be pushed", async () => {
    const provider = createScriptedProvider([]);
    const io = { now, newId: () => "id", fetch };
    const failed = await provider.stream(ask("x"), io).result();
    expect([failed.stopReason, failed.errorMessage]).toEqual([
      "error",
      expect.stringContaining("no more answers"),
    ]);
    provider.push("late");
    expect(provider.remaining).toBe(1);
    expect((await provider.stream(ask("x"), io).result()).content).toEqual([{ type: "text", text: "late" }]);
  });

  test("an error before the answer has no start event; one after n deltas keeps what arrived", async () => {
    const stream = scriptedStream([
      scriptedError({ code: "overloaded", status: 529, retryAfterMs: 2_000 }),
      {
        content: [scriptedText("abcdef")],
        pace: { chunkSize: 2 },
        error: { code: "network", afterDeltas: 2 },
      },
    ]);
    const early = await eventsOf(stream(ask("x")));
    expect(early).toEqual([{ type: "error", reason: "error", message: expect.anything() }]);
    expect(early[0]?.type === "error" && early[0].message.error).toEqual({
      code: "overloaded",
      retryable: true,
      message: "Scripted error: overloaded.",
      status: 529,
      retryAfterMs: 2_000,
    });
    const late = await stream(ask("x")).result();
    expect([late.stopReason, late.content]).toEqual(["error", [{ type: "text", text: "abcd" }]]);
  });

  test("a refusal is an error, never an empty success", async () => {
    const stream = scriptedStream([{ content: [], stopReason: "refusal" }]);
    const message = await stream(ask("x")).result();
    expect([message.stopReason, message.error?.code]).toEqual(["error", "content_filtered"]);
  });

  test("usage: the prefix shared with an earlier request of the session is cached", async () => {
    const stream = scriptedStream(() => "1234");
    const user = { role: "user", content: "x".repeat(400), timestamp: 1 } as const;
    const request = { model, messages: [user], systemPrompt: "s".repeat(40), sessionId: "one" };
    const counts = async (more: Partial<ChatRequest>) => {
      const { input, cacheRead, output, totalTokens } = (await stream({ ...request, ...more }).result())
        .usage;
      return { input, cacheRead, output, totalTokens };
    };
    expect(await counts({})).toEqual({ input: 110, cacheRead: 0, output: 1, totalTokens: 111 });
    expect(await counts({ messages: [user, { ...user, content: "y".repeat(8) }] })).toEqual({
      input: 2,
      cacheRead: 110,
      output: 1,
      totalTokens: 113,
    });
    expect((await counts({ sessionId: "two" })).cacheRead).toBe(0);
    expect((await counts({ cacheRetention: "none" })).cacheRead).toBe(0);
    expect((await counts({ systemPrompt: "changed" })).cacheRead).toBe(0);
  });

  test("usage given in the script wins", async () => {
    const stream = scriptedStream([{ content: [scriptedText("x")], usage: { input: 7, cacheRead: 3 } }]);
    const { usage } = await stream(ask("x")).result();
    expect([usage.input, usage.cacheRead, usage.output, usage.totalTokens]).toEqual([7, 3, 1, 11]);
  });
});

describe("abort of a scripted model", () => {
  test("ends a stall at its gate as aborted and leaves no listener on the signal", async () => {
    const controller = new AbortController();
    const reached = Promise.withResolvers<void>();
    const gate = (index: number) => {
      if (index < 1) return undefined;
      reached.resolve();
      return Promise.withResolvers<void>().promise;
    };
    const stream = scriptedStream([{ content: [scriptedText("abcd")], pace: { chunkSize: 2, gate } }]);
    const result = stream(ask("x", { signal: controller.signal })).result();
    await reached.promise;
    controller.abort();
    const message = await result;
    expect([message.stopReason, message.content]).toEqual(["aborted", [{ type: "text", text: "ab" }]]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  const content = [
    scriptedThinking("think"),
    scriptedText("text"),
    scriptedToolCall("read", { path: "a.txt" }),
  ];
  test.each(Array.from({ length: 11 }, (_, index) => index))(
    "at event %i: one terminal event follows, and it says aborted",
    async (at) => {
      const controller = new AbortController();
      const stream = scriptedStream([{ content, pace: { chunkSize: 9 } }]);
      const events: StreamEvent[] = [];
      for await (const event of stream(ask("x", { signal: controller.signal }))) {
        if (events.push(event) === at + 1) controller.abort();
      }
      expect(events).toHaveLength(at + 2);
      expect(events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    },
  );

  test("before the request: nothing starts", async () => {
    const events = await eventsOf(scriptedStream(["x"])(ask("x", { signal: AbortSignal.abort() })));
    expect(events).toMatchObject([{ type: "error", reason: "aborted" }]);
  });

  test("leaving the loop settles result()", async () => {
    const stream = scriptedStream(["abc"])(ask("x"));
    for await (const event of stream) if (event.type === "text_start") break;
    expect((await stream.result()).stopReason).toBe("aborted");
  });
});
