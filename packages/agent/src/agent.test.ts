import { scriptedError, scriptedToolCall } from "@coppice/ai/testing";
import { describe, expect, test } from "vitest";
import { AgentError } from "./errors.ts";
import { HookRunner } from "./hook-runner.ts";
import { agentHooks } from "./hooks.ts";
import type { AgentMessage } from "./messages.ts";
import { collectEvents, scriptedAgent, scriptedTool } from "./testing/index.ts";
import { lastAnswer } from "./transcript.ts";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1_000 });
const hooksOf = () => new HookRunner(agentHooks, { onFailure: () => undefined });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "ok",
    (error: unknown) => (error instanceof AgentError ? error.code : String(error)),
  );
const texts = (messages: readonly { role: string; content?: unknown }[]) =>
  messages.map(({ role, content }) => `${role} ${typeof content === "string" ? content : ""}`.trim());

describe("one run at a time", () => {
  test("AG-01: from the first moment a second caller is refused, whatever it asks for", async () => {
    const hooks = hooksOf();
    const gate = Promise.withResolvers<void>();
    hooks.on("before_agent_start", async () => {
      await gate.promise;
      return undefined;
    });
    const { agent } = scriptedAgent(["ok"], { hooks });
    const first = agent.prompt("one");
    expect(agent.state.isStreaming).toBe(true);
    expect(await codeOf(agent.prompt("two"))).toBe("agent_busy");
    expect(await codeOf(agent.continue())).toBe("agent_busy");
    expect(() => agent.reset()).toThrow("The agent is running; it cannot reset now.");
    gate.resolve();
    await first;
    expect(texts(agent.state.messages)).toEqual(["user one", "assistant"]);
    agent.reset();
    expect(agent.state.messages).toEqual([]);
  });

  test("AG-15: reset is refused at every event of a run, and changes nothing", async () => {
    const answers = [scriptedToolCall("work"), "done"];
    const { agent, seen } = scriptedAgent(answers, { tools: [scriptedTool("work", { respond: "ok" })] });
    let refused = 0;
    agent.subscribe((event) => {
      if (event.type === "agent_settled") return;
      expect(() => agent.reset()).toThrow(AgentError);
      refused++;
    });
    await agent.prompt("go");
    expect(refused).toBe(seen.events.length - 1);
    expect(texts(agent.state.messages)).toEqual(["user go", "assistant", "toolResult", "assistant"]);
  });

  test("waitForIdle resolves after the run, and at once when idle", async () => {
    const tool = scriptedTool("work");
    const { agent, seen } = scriptedAgent([scriptedToolCall("work"), "done"], { tools: [tool] });
    await agent.waitForIdle();
    const run = agent.prompt("go");
    const idle = agent.waitForIdle().then(() => seen.lines().at(-1));
    (await tool.started(0)).finish("ok");
    expect(await idle).toBe("agent_settled");
    await run;
  });
});

describe("prompts", () => {
  const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
  test.each([
    { name: "text", input: "hi", images: [], stored: [{ ...user("hi") }] },
    {
      name: "text with an image",
      input: "hi",
      images: [image],
      stored: [{ role: "user", content: [{ type: "text", text: "hi" }, image], timestamp: 1_000 }],
    },
    {
      name: "an image alone",
      input: " ",
      images: [image],
      stored: [{ role: "user", content: [image], timestamp: 1_000 }],
    },
    { name: "one message", input: user("m"), images: [], stored: [user("m")] },
    { name: "several messages", input: [user("a"), user("b")], images: [], stored: [user("a"), user("b")] },
  ])("$name", async ({ input, images, stored }) => {
    const { agent } = scriptedAgent(["ok"]);
    await agent.prompt(input, images);
    expect(agent.state.messages.slice(0, -1)).toEqual(stored);
  });

  test.each([" ", "", []])("an empty prompt (%j) is refused and leaves the agent idle", async (input) => {
    const { agent } = scriptedAgent([]);
    expect(await codeOf(agent.prompt(input))).toBe("nothing_to_send");
    expect(agent.state.isStreaming).toBe(false);
  });

  test("before_agent_start adds messages and changes the system prompt for this prompt only", async () => {
    const hooks = hooksOf();
    const off = hooks.on("before_agent_start", ({ messages, systemPrompt }) => ({
      messages: [...messages, user("added")],
      systemPrompt: `${systemPrompt}, briefly`,
    }));
    const { agent, stream } = scriptedAgent(() => "ok", { hooks, systemPrompt: "Answer" });
    await agent.prompt("one");
    off();
    await agent.prompt("two");
    expect(stream.requests.map((request) => request.systemPrompt)).toEqual(["Answer, briefly", "Answer"]);
    expect(texts(agent.state.messages)).toEqual([
      "user one",
      "user added",
      "assistant",
      "user two",
      "assistant",
    ]);
  });
});

describe("AG-04: continue", () => {
  const answered = async () => {
    const scripted = scriptedAgent(() => "ok");
    await scripted.agent.prompt("go");
    return scripted;
  };

  test("goes on from an unanswered message", async () => {
    const { agent } = scriptedAgent(["ok"], { messages: [user("waiting")] });
    await agent.continue();
    expect(texts(agent.state.messages)).toEqual(["user waiting", "assistant"]);
  });

  test("is refused when the model had the last word, and on an empty transcript", async () => {
    const { agent } = await answered();
    expect(await codeOf(agent.continue())).toBe("nothing_to_continue");
    expect(await codeOf(scriptedAgent([]).agent.continue())).toBe("nothing_to_continue");
  });

  test("drains the queues one at a time, steering first", async () => {
    const { agent } = await answered();
    for (const text of ["f1", "f2"]) agent.followUp(user(text));
    for (const text of ["s1", "s2"]) agent.steer(user(text));
    await agent.continue();
    expect(texts(agent.state.messages).slice(2)).toEqual([
      "user s1",
      "assistant",
      "user s2",
      "assistant",
      "user f1",
      "assistant",
      "user f2",
      "assistant",
    ]);
  });

  test("tries again after a failed answer", async () => {
    const { agent } = scriptedAgent([scriptedError({ code: "overloaded" }), "ok"]);
    await agent.prompt("go");
    expect(agent.state.error).toBe("Scripted error: overloaded.");
    await agent.continue();
    expect(agent.state.error).toBe(undefined);
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "stop" });
  });
});

describe("the owner's seams", () => {
  test("beforeRequest comes before every request and may replace the transcript", async () => {
    const drafts: number[] = [];
    const { agent, stream } = scriptedAgent([scriptedToolCall("work"), "done"], {
      tools: [scriptedTool("work", { respond: "ok" })],
      beforeRequest: async (draft) => {
        drafts.push(draft.messages.length);
        return { messages: [user(`projected ${draft.messages.length}`)], systemPrompt: "S" };
      },
    });
    await agent.prompt("go");
    expect(drafts).toEqual([1, 3]);
    expect(stream.requests.map(({ messages, systemPrompt }) => [texts(messages), systemPrompt])).toEqual([
      [["user projected 1"], "S"],
      [["user projected 3"], "S"],
    ]);
    expect(texts(agent.state.messages)).toEqual(["user projected 3", "assistant"]);
    expect(agent.state.systemPrompt).toBe("");
  });

  test("a beforeRequest that throws ends the run with a failed answer that carries its error", async () => {
    const { agent, stream, seen } = scriptedAgent([], {
      beforeRequest: () =>
        Promise.reject(new AgentError({ code: "nothing_to_send", message: "the window is too small" })),
    });
    await agent.prompt("go");
    expect(stream.requests).toEqual([]);
    expect(agent.state.messages.at(-1)).toMatchObject({
      stopReason: "error",
      errorMessage: "the window is too small",
      error: { code: "nothing_to_send", retryable: false },
    });
    expect(seen.lines().at(-1)).toBe("agent_settled");
  });

  test("B147, AG-10, AG-14: with retries, prompt resolves after the last attempt and settled is told once", async () => {
    const { agent, seen, stream } = scriptedAgent(
      [scriptedError({ code: "overloaded" }), scriptedToolCall("work"), "done"],
      {
        tools: [scriptedTool("work", { respond: "ok" })],
        onRunEnd: async (outcome) => {
          if (outcome !== "failed") return "settle";
          agent.state.messages = agent.state.messages.slice(0, -1);
          return "continue";
        },
      },
    );
    await agent.prompt("go");
    expect(seen.of("agent_end").length).toBe(2);
    expect(seen.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: false }]);
    expect(stream.requests.map(({ messages }) => messages.map((message) => message.role))).toEqual([
      ["user"],
      ["user"],
      ["user", "assistant", "toolResult"],
    ]);
  });

  test("provider hooks see headers, payload and response of the request", async () => {
    const hooks = hooksOf();
    hooks.on("before_provider_request", ({ headers }) => ({
      headers: { ...headers, "x-a": "1" },
      idleTimeoutMs: 9,
    }));
    hooks.on("before_provider_payload", ({ payload }) => ({ payload: [payload, "changed"] }));
    const heads: unknown[] = [];
    hooks.on("after_provider_response", (head) => void heads.push(head));
    const { agent, stream } = scriptedAgent(["ok"], { hooks, sessionId: "s" });
    await agent.prompt("go");
    const [request] = stream.requests;
    expect([request?.headers, request?.idleTimeoutMs, request?.sessionId]).toEqual([{ "x-a": "1" }, 9, "s"]);
    expect(await request?.onPayload?.("body")).toEqual(["body", "changed"]);
    await request?.onResponse?.({ status: 200, headers: {} });
    expect(heads).toEqual([{ status: 200, headers: {} }]);
  });

  test("the context hook changes the request and not the transcript", async () => {
    const hooks = hooksOf();
    hooks.on("context", ({ messages }) => ({ messages: [user("injected"), ...messages] }));
    const { agent, stream } = scriptedAgent(["ok"], { hooks });
    await agent.prompt("go");
    expect(texts(stream.requests[0]?.messages ?? [])).toEqual(["user injected", "user go"]);
    expect(texts(agent.state.messages)).toEqual(["user go", "assistant"]);
  });
});

describe("listeners", () => {
  test("AG-11: each is awaited before the next one and before the next event", async () => {
    const { agent } = scriptedAgent(["ok"]);
    const order: string[] = [];
    for (const name of ["slow", "quick"]) {
      agent.subscribe(async (event) => {
        if (name === "slow") await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ${event.type}`);
      });
    }
    await agent.prompt("go");
    expect(order.slice(0, 4)).toEqual([
      "slow agent_start",
      "quick agent_start",
      "slow turn_start",
      "quick turn_start",
    ]);
    expect(order.length % 2).toBe(0);
  });

  test("AG-19: one that removes itself and adds another disturbs nobody", async () => {
    const { agent } = scriptedAgent(["ok"]);
    const first: string[] = [];
    const stop = agent.subscribe((event) => {
      first.push(event.type);
      stop();
      agent.subscribe((later) => void first.push(`added ${later.type}`));
    });
    const others = collectEvents(agent);
    await agent.prompt("go");
    expect(first.slice(0, 2)).toEqual(["agent_start", "added turn_start"]);
    expect(others.lines()[0]).toBe("agent_start");
  });

  test("B232: one that throws at the end of a run does not keep the agent busy; prompt says so afterwards", async () => {
    const { agent } = scriptedAgent(() => "ok");
    const stop = agent.subscribe((event) => {
      if (event.type === "agent_end") throw new Error("disk full");
    });
    expect(await codeOf(agent.prompt("go"))).toBe("listener_failed");
    expect(agent.state.isStreaming).toBe(false);
    stop();
    expect(await codeOf(agent.prompt("again"))).toBe("ok");
  });

  test("onListenerError takes over what listeners throw", async () => {
    const errors: unknown[] = [];
    const { agent } = scriptedAgent(["ok"], {
      onListenerError: (error, { type }) => errors.push([type, error]),
    });
    const error = new Error("x");
    agent.subscribe((event) => {
      if (event.type === "turn_end") throw error;
    });
    await agent.prompt("go");
    expect(errors).toEqual([["turn_end", error]]);
  });

  test("AG-14: a run asked for in a settled listener starts after all listeners were told", async () => {
    const { agent } = scriptedAgent(() => "ok");
    const order: string[] = [];
    const stop = agent.subscribe(async (event) => {
      if (event.type !== "agent_settled") return;
      stop();
      expect(agent.state.isStreaming).toBe(false);
      await agent.prompt("second");
      order.push("second over");
    });
    agent.subscribe(async (event) => {
      await Promise.resolve();
      if (event.type === "agent_start" || event.type === "agent_settled") order.push(event.type);
    });
    await agent.prompt("first");
    await agent.waitForIdle();
    expect(order).toEqual(["agent_start", "agent_settled", "agent_start", "agent_settled", "second over"]);
  });
});

test("AG-20, B127: an answer without content, as imported files hold, is no answer with text", () => {
  const message = { role: "assistant", content: null, stopReason: "stop" } as unknown as AgentMessage;
  expect(lastAnswer([user("hi"), message])).toBe(undefined);
});

test("the state follows the run: message in progress and pending calls", async () => {
  const tool = scriptedTool("work");
  const { agent } = scriptedAgent(
    [[scriptedToolCall("work", {}, "a"), scriptedToolCall("work", {}, "b")], "done"],
    {
      tools: [tool],
    },
  );
  const shown: unknown[] = [];
  agent.subscribe((event) => {
    if (event.type === "message_update") shown.push(agent.state.streamMessage === event.message);
  });
  const run = agent.prompt("go");
  const second = await tool.started(1);
  expect([...agent.state.pendingToolCalls]).toEqual(["a", "b"]);
  expect(agent.state.streamMessage).toBe(undefined);
  second.finish("2");
  (await tool.started(0)).finish("1");
  await run;
  expect(new Set(shown)).toEqual(new Set([true]));
  expect(agent.state.pendingToolCalls.size).toBe(0);
});

test("AG-20: the last answer is the latest with text that neither failed nor was aborted", async () => {
  const { agent } = scriptedAgent(["good", scriptedError({ code: "overloaded" })]);
  await agent.prompt("one");
  await agent.prompt("two");
  expect(lastAnswer(agent.state.messages)?.content).toEqual([{ type: "text", text: "good" }]);
});
