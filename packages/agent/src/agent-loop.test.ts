import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { describe, expect, test } from "vitest";
import { runAgentLoop } from "./agent-loop.ts";
import { AgentState } from "./agent-state.ts";
import { HookRunner } from "./hook-runner.ts";
import { agentHooks } from "./hooks.ts";
import type { AgentMessage } from "./messages.ts";
import { maxTurns } from "./stop.ts";
import { eventLine, scriptedAgent, scriptedTool } from "./testing/index.ts";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1_000 });
const hooksOf = () => new HookRunner(agentHooks, { onFailure: () => undefined });
const shape = (messages: readonly AgentMessage[]) =>
  messages.map((message) =>
    message.role === "user" ? `user ${String(message.content)}` : (message.role as string),
  );

describe("the sequence of events", () => {
  test("of a canonical run: prompt, tool call with progress, answer", async () => {
    const tool = scriptedTool("look", {
      respond: (call) => {
        call.update("half");
        return "all";
      },
    });
    const { agent, seen } = scriptedAgent([scriptedToolCall("look", {}, "c1"), "done"], { tools: [tool] });
    await agent.prompt("go");
    expect(seen.lines()).toEqual([
      "agent_start",
      "turn_start 0",
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_update toolcall_start",
      "message_update toolcall_delta",
      "message_update toolcall_end",
      "message_end assistant",
      "tool_execution_start c1",
      "tool_execution_update c1",
      "tool_execution_end c1",
      "message_start toolResult",
      "message_end toolResult",
      "turn_end 0",
      "turn_start 1",
      "message_start assistant",
      "message_update text_start",
      "message_update text_delta",
      "message_update text_end",
      "message_end assistant",
      "turn_end 1",
      "agent_end",
      "agent_settled",
    ]);
    expect(seen.of("agent_end")[0]?.messages).toEqual(agent.state.messages);
    expect(seen.of("tool_execution_end")[0]).toEqual({
      type: "tool_execution_end",
      toolCallId: "c1",
      toolName: "look",
      result: { content: [{ type: "text", text: "all" }] },
      isError: false,
      durationMs: 0,
    });
  });

  test("can be read from the generator alone, and leaving it early aborts the request", async () => {
    const stream = scriptedStream(["a long answer in several deltas"]);
    const state = new AgentState({ model: scriptedModel() });
    const lines: string[] = [];
    for await (const event of runAgentLoop({ state, streamFunction: stream }, [user("go")])) {
      lines.push(eventLine(event));
      if (event.type === "message_update") break;
    }
    expect(lines.at(-1)).toBe("message_update text_start");
    expect(stream.requests[0]?.signal?.aborted).toBe(true);
  });

  test("the assistant message is in the transcript before its tools start", async () => {
    const tool = scriptedTool("look", { respond: "ok" });
    const { agent } = scriptedAgent([scriptedToolCall("look"), "done"], { tools: [tool] });
    const order: string[] = [];
    agent.subscribe(async (event) => {
      await Promise.resolve();
      if (event.type === "message_end" && event.message.role === "assistant") {
        order.push(`stored ${tool.calls.length}`);
      }
    });
    await agent.prompt("go");
    expect(order).toEqual(["stored 0", "stored 1"]);
  });
});

describe("steering and follow-ups", () => {
  test("AG-02: steering waits for the whole batch and enters before the next request", async () => {
    const tool = scriptedTool("work");
    const calls = ["a", "b", "c"].map((id) => scriptedToolCall("work", {}, id));
    const { agent, stream } = scriptedAgent([calls, "done"], { tools: [tool] });
    const run = agent.prompt("go");
    const first = await tool.started(0);
    agent.steer(user("turn left"));
    first.finish("1");
    (await tool.started(2)).finish("3");
    (await tool.started(1)).finish("2");
    await run;
    expect(shape(stream.requests[1]?.messages ?? [])).toEqual([
      "user go",
      "assistant",
      "toolResult",
      "toolResult",
      "toolResult",
      "user turn left",
    ]);
  });

  test.each([
    {
      mode: "one-at-a-time" as const,
      entered: ["user 1", "assistant", "user 2", "assistant", "user 3", "assistant"],
    },
    { mode: "all" as const, entered: ["user 1", "assistant", "user 2", "user 3", "assistant"] },
  ])("follow-ups enter $mode", async ({ mode, entered }) => {
    const { agent } = scriptedAgent(() => "ok", { followUpMode: mode });
    for (const text of ["2", "3"]) agent.followUp(user(text));
    await agent.prompt("1");
    expect(shape(agent.state.messages)).toEqual(entered);
    expect(agent.queued).toEqual({ steering: [], followUp: [] });
  });

  test("the modes can be changed while messages wait", async () => {
    const { agent, stream } = scriptedAgent(() => "ok");
    expect([agent.steeringMode, agent.followUpMode]).toEqual(["one-at-a-time", "one-at-a-time"]);
    agent.steeringMode = "all";
    agent.followUpMode = "all";
    for (const text of ["2", "3"]) agent.steer(user(text));
    for (const text of ["4", "5"]) agent.followUp(user(text));
    await agent.prompt("1");
    expect(stream.requests.map(({ messages }) => shape(messages).at(-1))).toEqual(["user 3", "user 5"]);
  });

  test("steering that waits when a run starts enters right after the prompt", async () => {
    const { agent, stream } = scriptedAgent(["ok"]);
    agent.steer(user("waiting"));
    await agent.prompt("go");
    expect(shape(stream.requests[0]?.messages ?? [])).toEqual(["user go", "user waiting"]);
  });

  test.each([
    {
      mode: "one-at-a-time" as const,
      requests: 3,
      last: ["user 1", "assistant", "user 2", "assistant", "user 3"],
    },
    { mode: "all" as const, requests: 2, last: ["user 1", "assistant", "user 2", "user 3"] },
  ])("steering enters $mode", async ({ mode, requests, last }) => {
    const { agent, stream } = scriptedAgent(() => "ok", { steeringMode: mode });
    const stop = agent.subscribe((event) => {
      if (event.type !== "turn_start") return;
      agent.steer(user("2"));
      agent.steer(user("3"));
      stop();
    });
    await agent.prompt("1");
    expect(stream.requests.length).toBe(requests);
    expect(shape(stream.requests.at(-1)?.messages ?? [])).toEqual(last);
    expect(agent.queued).toEqual({ steering: [], followUp: [] });
  });

  test("a follow-up is asked when the run would end, after the steering", async () => {
    const { agent } = scriptedAgent(() => "ok");
    const stop = agent.subscribe((event) => {
      if (event.type !== "turn_start") return;
      agent.followUp(user("later"));
      agent.steer(user("now"));
      stop();
    });
    await agent.prompt("first");
    expect(shape(agent.state.messages)).toEqual([
      "user first",
      "assistant",
      "user now",
      "assistant",
      "user later",
      "assistant",
    ]);
  });

  test("AG-03: a follow-up queued while agent_end is told is answered before the agent is settled", async () => {
    const { agent, seen } = scriptedAgent(() => "ok");
    const stop = agent.subscribe((event) => {
      if (event.type !== "agent_end") return;
      agent.followUp(user("one more"));
      stop();
    });
    await agent.prompt("first");
    expect(shape(agent.state.messages)).toEqual(["user first", "assistant", "user one more", "assistant"]);
    expect(seen.of("agent_settled").length).toBe(1);
  });

  test("AG-03: messages queued between turns, by a hook and by a listener, are delivered once and in order", async () => {
    const hooks = hooksOf();
    const { agent } = scriptedAgent([scriptedToolCall("work"), "a", "b", "c"], {
      hooks,
      tools: [scriptedTool("work", { respond: "ok" })],
      steeringMode: "all",
    });
    const off = hooks.on("prepareNextTurn", () => {
      agent.steer(user("from hook"));
      off();
      return undefined;
    });
    const stop = agent.subscribe((event) => {
      if (event.type !== "turn_end") return;
      agent.steer(user("from listener"));
      stop();
    });
    await agent.prompt("go");
    expect(shape(agent.state.messages)).toEqual([
      "user go",
      "assistant",
      "toolResult",
      "user from listener",
      "user from hook",
      "assistant",
    ]);
  });

  test("AG-12: a message said aside from inside a tool comes after the results and asks for nothing", async () => {
    const tool = scriptedTool("work", {
      respond: () => {
        void agent.add({ role: "custom", customType: "note", content: "n", display: true, timestamp: 1 });
        return "ok";
      },
    });
    const { agent, stream } = scriptedAgent([[scriptedToolCall("work"), scriptedToolCall("work")], "done"], {
      tools: [tool],
    });
    await agent.prompt("go");
    await agent.add({ role: "custom", customType: "note", content: "idle", display: true, timestamp: 1 });
    expect(shape(agent.state.messages)).toEqual([
      "user go",
      "assistant",
      "toolResult",
      "toolResult",
      "custom",
      "custom",
      "assistant",
      "custom",
    ]);
    expect(stream.requests.length).toBe(2);
  });
});

test.each(["tool_call", "context", "prepareNextTurn", "listener", "microtask"] as const)(
  "AG-12: a message said aside from a %s never comes between a call and its result",
  async (from) => {
    const hooks = hooksOf();
    const { agent, stream } = scriptedAgent([[scriptedToolCall("work"), scriptedToolCall("work")], "done"], {
      hooks,
      tools: [scriptedTool("work", { respond: "ok" })],
    });
    let said = 0;
    const say = () => {
      if (said++ > 0) return undefined;
      const note = { role: "custom", customType: "note", content: "n", display: true, timestamp: 1 } as const;
      void agent.add(note);
      return undefined;
    };
    if (from === "listener" || from === "microtask") {
      agent.subscribe((event) => {
        if (event.type !== "tool_execution_start") return;
        if (from === "listener") say();
        else queueMicrotask(say);
      });
    } else hooks.on(from, say);
    await agent.prompt("go");
    const order = shape(agent.state.messages);
    expect(order.filter((role) => role !== "custom")).toEqual([
      "user go",
      "assistant",
      "toolResult",
      "toolResult",
      "assistant",
    ]);
    expect(order.indexOf("custom")).toBeGreaterThan(order.lastIndexOf("toolResult"));
    expect(stream.requests.length).toBe(2);
  },
);

describe("between turns", () => {
  test("stop conditions end the run and leave the queue alone", async () => {
    const { agent, stream } = scriptedAgent(() => scriptedToolCall("work"), {
      tools: [scriptedTool("work", { respond: "ok" })],
      stopWhen: maxTurns(2),
    });
    agent.followUp(user("later"));
    await agent.prompt("go");
    expect(stream.requests.length).toBe(2);
    expect(agent.queued.followUp).toEqual([user("later")]);
  });

  test("any handler of shouldStopAfterTurn that says true ends the run, also after one that says false", async () => {
    const hooks = hooksOf();
    hooks.on("shouldStopAfterTurn", () => false);
    hooks.on("shouldStopAfterTurn", ({ turnIndex }) => turnIndex === 1);
    const { agent, stream } = scriptedAgent(() => scriptedToolCall("work"), {
      tools: [scriptedTool("work", { respond: "ok" })],
      hooks,
    });
    await agent.prompt("go");
    expect(stream.requests.length).toBe(2);
  });

  test("a stop condition that throws is the caller's error; the run still ends and the agent is idle", async () => {
    const { agent, seen } = scriptedAgent(["ok", "ok"], {
      stopWhen: () => {
        throw new Error("boom");
      },
    });
    await expect(agent.prompt("go")).rejects.toThrow("boom");
    expect(seen.lines().slice(-2)).toEqual(["agent_end", "agent_settled"]);
    expect(agent.state.isStreaming).toBe(false);
  });

  test("AG-13, AG-16: tools, model and prompt changed by a tool count from the next request", async () => {
    const later = scriptedTool("later", { respond: "ok" });
    const other = scriptedModel({ id: "other", provider: "elsewhere" });
    const enable = scriptedTool("enable", {
      respond: () => {
        agent.state.tools = [enable, later];
        agent.state.model = other;
        agent.state.systemPrompt = "new";
        return "enabled";
      },
    });
    const { agent, stream } = scriptedAgent([scriptedToolCall("enable"), scriptedToolCall("later"), "done"], {
      systemPrompt: "old",
      tools: [enable],
    });
    await agent.prompt("go");
    expect(
      stream.requests.map(({ model, systemPrompt, tools }) => [
        model.provider,
        systemPrompt,
        tools?.map((tool) => tool.name),
      ]),
    ).toEqual([
      ["scripted", "old", ["enable"]],
      ["elsewhere", "new", ["enable", "later"]],
      ["elsewhere", "new", ["enable", "later"]],
    ]);
    expect(later.calls.length).toBe(1);
  });

  test("prepareNextTurn replaces what the next turn starts from", async () => {
    const hooks = hooksOf();
    hooks.on("prepareNextTurn", ({ messages }) => ({
      messages: [user("short"), ...messages.slice(1)],
      thinkingLevel: "high",
      systemPrompt: "next",
    }));
    const { agent, stream } = scriptedAgent([scriptedToolCall("work"), "done"], {
      tools: [scriptedTool("work", { respond: "ok" })],
      hooks,
    });
    await agent.prompt("go");
    const [, second] = stream.requests;
    expect(shape(second?.messages ?? [])).toEqual(["user short", "assistant", "toolResult"]);
    expect([second?.thinkingLevel, second?.systemPrompt]).toEqual(["high", "next"]);
  });
});
