import { type AssistantMessage, ZERO_USAGE } from "@coppice/ai";
import { scriptedModel, scriptedText, scriptedThinking, scriptedToolCall } from "@coppice/ai/testing";
import { describe, expect, test, vi } from "vitest";
import { Agent } from "./agent.ts";
import { HookRunner } from "./hook-runner.ts";
import { agentHooks } from "./hooks.ts";
import type { AgentMessage } from "./messages.ts";
import { eventLine, scriptedAgent, scriptedTool } from "./testing/index.ts";

const hooksOf = () => new HookRunner(agentHooks, { onFailure: () => undefined });
const calls = ["a", "b", "c"].map((id) => scriptedToolCall("work", { id }, id));
const resultTexts = (messages: readonly AgentMessage[]) =>
  messages.flatMap((message) =>
    message.role === "toolResult" ? [[message.toolCallId, message.isError, message.content[0]] as const] : [],
  );
describe("what an abort leaves", () => {
  test("keeps partial text and thinking, marked as aborted; half a call is gone", async () => {
    const answer = [scriptedThinking("hm"), scriptedText("let me"), ...calls];
    const { agent } = scriptedAgent([answer], { tools: [scriptedTool("work")] });
    agent.subscribe((event) => {
      if (event.type === "message_update" && event.event.type === "toolcall_delta") agent.abort();
    });
    await agent.prompt("go");
    expect(agent.state.messages.at(-1)).toMatchObject({
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "let me" },
      ],
      stopReason: "aborted",
      error: { code: "aborted" },
    });
  });

  test.each([0, 1, 2])(
    "B121: abort while call %i of three runs one by one: done, aborted, not started",
    async (at) => {
      const tool = scriptedTool("work", { executionMode: "sequential" });
      const { agent, stream } = scriptedAgent([calls, "hello"], { tools: [tool] });
      const run = agent.prompt("go");
      for (let index = 0; index < at; index++) (await tool.started(index)).finish(`done ${index}`);
      await tool.started(at);
      agent.abort();
      await run;
      const texts = [
        ...Array.from({ length: at }, (_, index) => [false, `done ${index}`]),
        [true, "Aborted by the user. work stopped."],
        ...Array.from({ length: 2 - at }, () => [
          true,
          "Aborted by the user before this call started. It did not run.",
        ]),
      ];
      expect(resultTexts(agent.state.messages)).toEqual(
        texts.map(([isError, text], index) => ["abc"[index], isError, { type: "text", text }]),
      );
      expect(tool.calls.length).toBe(at + 1);
      await agent.prompt("hi");
      expect(stream.requests[1]?.messages.map((message) => message.role)).toEqual([
        "user",
        "assistant",
        "toolResult",
        "toolResult",
        "toolResult",
        "user",
      ]);
    },
  );

  test.each([0, 1, 2])(
    "B121: abort while call %i of three that run side by side ends last: every call has its result",
    async (at) => {
      const tool = scriptedTool("work");
      const { agent } = scriptedAgent([calls], { tools: [tool] });
      const ended = Promise.withResolvers<void>();
      let open = 2;
      agent.subscribe((event) => {
        if (event.type === "tool_execution_end" && --open === 0) ended.resolve();
      });
      const run = agent.prompt("go");
      await tool.started(2);
      for (const [index, call] of tool.calls.entries()) if (index !== at) call.finish(`done ${index}`);
      await ended.promise;
      agent.abort();
      await run;
      expect(resultTexts(agent.state.messages)).toEqual(
        [0, 1, 2].map((index) => [
          "abc"[index],
          index === at,
          { type: "text", text: index === at ? "Aborted by the user. work stopped." : `done ${index}` },
        ]),
      );
    },
  );

  test("AG-06: abort during preflight of the second call: nothing runs and no further hook is asked", async () => {
    const hooks = hooksOf();
    const asked: string[] = [];
    const tool = scriptedTool("work", { respond: "ok" });
    const { agent } = scriptedAgent([calls], { tools: [tool], hooks });
    hooks.on("tool_call", ({ call }) => {
      asked.push(call.id);
      if (call.id === "b") agent.abort();
      return undefined;
    });
    await agent.prompt("go");
    expect(asked).toEqual(["a", "b"]);
    expect(tool.calls).toEqual([]);
    expect(resultTexts(agent.state.messages).map(([id, isError]) => [id, isError])).toEqual([
      ["a", true],
      ["b", true],
      ["c", true],
    ]);
  });

  test("AG-06: an abort while a result is looked at still lets the hook finish its work on it", async () => {
    const hooks = hooksOf();
    const { agent } = scriptedAgent([calls[0] ?? []], {
      tools: [scriptedTool("work", { respond: "secret" })],
      hooks,
    });
    hooks.on("tool_result", async () => {
      agent.abort();
      await Promise.resolve();
      return { content: [{ type: "text", text: "redacted" }] };
    });
    await agent.prompt("go");
    expect(resultTexts(agent.state.messages)).toEqual([["a", false, { type: "text", text: "redacted" }]]);
  });
});

describe("what an abort does not take", () => {
  test("AG-03: queued messages stay queued and can be handed back", async () => {
    const tool = scriptedTool("work");
    const { agent, stream } = scriptedAgent([calls], { tools: [tool] });
    const run = agent.prompt("go");
    await tool.started(0);
    const steer: AgentMessage = { role: "user", content: "left", timestamp: 1 };
    const later: AgentMessage = { role: "user", content: "later", timestamp: 2 };
    agent.steer(steer);
    agent.followUp(later);
    agent.abort();
    await run;
    expect(stream.requests.length).toBe(1);
    expect(agent.clearQueues()).toEqual({ steering: [steer], followUp: [later] });
  });

  test("AG-17: abort inside a delayed start-up hook: no request, the prompt is kept", async () => {
    const hooks = hooksOf();
    const started = Promise.withResolvers<void>();
    hooks.on("before_agent_start", () => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const { agent, stream, seen } = scriptedAgent(["never"], { hooks });
    const run = agent.prompt("go");
    await started.promise;
    expect(agent.state.isStreaming).toBe(true);
    agent.abort();
    await run;
    expect(stream.requests).toEqual([]);
    expect(agent.state.messages.map((message) => message.role)).toEqual(["user", "assistant"]);
    expect(agent.state.messages[1]).toMatchObject({ content: [], stopReason: "aborted" });
    expect(seen.events.at(-1)).toEqual({ type: "agent_settled", aborted: true });
  });

  test.each(["context", "before_provider_request"] as const)(
    "abort inside %s: no request leaves",
    async (name) => {
      const hooks = hooksOf();
      const { agent, stream } = scriptedAgent(["never"], { hooks });
      hooks.on(name, () => {
        agent.abort();
        return new Promise<never>(() => undefined);
      });
      await agent.prompt("go");
      expect(stream.requests).toEqual([]);
      expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
    },
  );

  test("an abort while idle does nothing to the next run", async () => {
    const { agent } = scriptedAgent(["ok"]);
    agent.abort();
    await agent.prompt("go");
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "stop" });
  });
});

describe("those who ignore the signal", () => {
  test("a tool is left behind after the grace time, and says so", async () => {
    vi.useFakeTimers();
    try {
      const tool = scriptedTool("work", { obeysAbort: false });
      const { agent, seen } = scriptedAgent([calls[0] ?? []], { tools: [tool], abortGraceMs: 300 });
      const run = agent.prompt("go");
      const call = await tool.started(0);
      agent.abort();
      await vi.advanceTimersByTimeAsync(299);
      expect(seen.of("agent_end")).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await run;
      call.update("late");
      call.finish("late");
      expect(resultTexts(agent.state.messages)).toEqual([
        [
          "a",
          true,
          {
            type: "text",
            text: "Aborted by the user. The tool did not stop within 300 ms and may still be running.",
          },
        ],
      ]);
      expect(seen.events.map(eventLine).at(-1)).toBe("agent_settled");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a stream is left behind with what it had said", async () => {
    vi.useFakeTimers();
    try {
      const hanging = new Agent({
        model: scriptedModel(),
        now: () => 1,
        abortGraceMs: 100,
        streamFunction: () => ({
          result: () => new Promise(() => undefined),
          async *[Symbol.asyncIterator]() {
            yield { type: "start", message: emptyAnswer } as const;
            yield { type: "text_start", contentIndex: 0 } as const;
            yield { type: "text_delta", contentIndex: 0, delta: "so far" } as const;
            await new Promise(() => undefined);
          },
        }),
      });
      const delta = Promise.withResolvers<void>();
      hanging.subscribe((event) => {
        if (event.type === "message_update" && event.event.type === "text_delta") delta.resolve();
      });
      const run = hanging.prompt("go");
      await delta.promise;
      hanging.abort();
      await vi.advanceTimersByTimeAsync(100);
      await run;
      expect(hanging.state.messages.at(-1)).toMatchObject({
        content: [{ type: "text", text: "so far" }],
        stopReason: "aborted",
      });
    } finally {
      vi.useRealTimers();
    }
  });
});

const emptyAnswer: AssistantMessage = {
  role: "assistant",
  content: [],
  api: "deaf",
  provider: "deaf",
  model: "deaf",
  usage: ZERO_USAGE,
  stopReason: "stop",
  timestamp: 1,
};
