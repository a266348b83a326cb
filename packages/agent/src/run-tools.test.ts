import { textOf } from "@coppice/ai";
import { scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { HookRunner } from "./hook-runner.ts";
import { agentHooks } from "./hooks.ts";
import type { AgentMessage } from "./messages.ts";
import { type ScriptedAgent, scriptedAgent, scriptedTool, unpairedCalls } from "./testing/index.ts";
import type { AnyAgentTool } from "./tool.ts";

const hooksOf = () => new HookRunner(agentHooks, { onFailure: () => undefined });
const results = (messages: readonly AgentMessage[]) =>
  messages.flatMap((message) =>
    message.role === "toolResult"
      ? [`${message.toolCallId} ${message.isError ? "error" : "ok"}: ${textOf(message.content)}`]
      : [],
  );
const call = (id: string, name = "work", args = {}) => scriptedToolCall(name, args, id);
async function runOnce({ agent }: ScriptedAgent): Promise<readonly string[]> {
  await agent.prompt("go");
  expect(unpairedCalls(agent.state.messages)).toEqual([]);
  expect(agent.state.messages.at(-1)?.role).toBe("assistant");
  return results(agent.state.messages);
}

describe("a batch of calls", () => {
  test("AG-05: runs side by side, ends in its own order, and is stored in the order of the calls", async () => {
    const tool = scriptedTool("work");
    const { agent, seen } = scriptedAgent([[call("a"), call("b"), call("c")], "done"], { tools: [tool] });
    const run = agent.prompt("go");
    (await tool.started(2)).finish("3");
    (await tool.started(1)).finish("2");
    (await tool.started(0)).finish("1");
    await run;
    expect(seen.of("tool_execution_end").map((event) => event.toolCallId)).toEqual(["c", "b", "a"]);
    expect(results(agent.state.messages)).toEqual(["a ok: 1", "b ok: 2", "c ok: 3"]);
    expect(seen.of("turn_end")[0]?.toolResults.map((result) => result.toolCallId)).toEqual(["a", "b", "c"]);
  });

  test("a result is in the transcript as soon as those before it are, while later calls still run", async () => {
    const tool = scriptedTool("work");
    const { agent } = scriptedAgent([[call("a"), call("b")], "done"], { tools: [tool] });
    const stored = Promise.withResolvers<void>();
    agent.subscribe((event) => {
      if (event.type === "message_end" && event.message.role === "toolResult") stored.resolve();
    });
    const run = agent.prompt("go");
    (await tool.started(0)).finish("1");
    await stored.promise;
    expect(results(agent.state.messages)).toEqual(["a ok: 1"]);
    (await tool.started(1)).finish("2");
    await run;
  });

  test("one sequential tool makes the whole batch run one after the other", async () => {
    const ask = scriptedTool("ask", { executionMode: "sequential" });
    const work = scriptedTool("work");
    const { agent } = scriptedAgent([[call("a"), call("b", "ask"), call("c")], "done"], {
      tools: [work, ask],
    });
    const run = agent.prompt("go");
    const first = await work.started(0);
    expect(ask.calls.length).toBe(0);
    first.finish("1");
    const second = await ask.started(0);
    expect(work.calls.length).toBe(1);
    second.finish("2");
    (await work.started(1)).finish("3");
    await run;
    expect(results(agent.state.messages)).toEqual(["a ok: 1", "b ok: 2", "c ok: 3"]);
  });

  test("AG-06: a report after the end of a tool is dropped, waiting ones are merged", async () => {
    const tool = scriptedTool("work", {
      respond: (running) => {
        running.update("1");
        running.update("2");
        return "end";
      },
    });
    const scripted = scriptedAgent([call("a"), "done"], { tools: [tool] });
    scripted.agent.subscribe((event) => {
      if (event.type === "message_end") tool.calls[0]?.update("late");
    });
    await runOnce(scripted);
    expect(scripted.seen.of("tool_execution_update").map(({ partial }) => textOf(partial.content))).toEqual([
      "2",
    ]);
  });
});

describe("calls that do not run give an error result that the model can act on", () => {
  test("B240: an unknown tool", async () => {
    const answers = [[call("a", ""), call("b", "__proto__"), call("c", "nope")], "done"];
    expect(
      await runOnce(scriptedAgent(answers, { tools: [scriptedTool("work", { respond: "ok" })] })),
    ).toEqual([
      'a error: There is no tool named "". Known tools: work.',
      'b error: There is no tool named "__proto__". Known tools: work.',
      'c error: There is no tool named "nope". Known tools: work.',
    ]);
  });

  test("AG-08: bad arguments, and the corrected call then runs; usual slips are coerced", async () => {
    const tool = scriptedTool("work", {
      parameters: Type.Object({ count: Type.Number() }),
      respond: ({ params }) => `got ${JSON.stringify(params)}`,
    });
    const answers = [call("a", "work", { count: "many" }), call("b", "work", { count: "3" }), "done"];
    const [first, second] = await runOnce(scriptedAgent(answers, { tools: [tool] }));
    expect(first).toMatch(/^a error: The call of "work" was not run.*count/s);
    expect(second).toBe('b ok: got {"count":3}');
  });

  test("B106: argument text that is no JSON object", async () => {
    const tool = scriptedTool("work", { respond: "ok" });
    const answers = [scriptedToolCall("work", '{"path": "con', "a"), "done"];
    const [only] = await runOnce(scriptedAgent(answers, { tools: [tool] }));
    expect(only).toMatch(/^a error: The arguments of work are not a JSON object, so the call did not run/);
    expect(tool.calls).toEqual([]);
  });

  test("B106: every call of an answer that was cut by its length", async () => {
    const tool = scriptedTool("work", { respond: "ok" });
    const cut = { content: [call("a"), call("b")], stopReason: "length" as const };
    const answered = await runOnce(scriptedAgent([cut, "done"], { tools: [tool] }));
    expect(answered.map((line) => line.slice(0, 45))).toEqual([
      "a error: The answer reached its length limit,",
      "b error: The answer reached its length limit,",
    ]);
    expect(tool.calls).toEqual([]);
  });

  test.each([
    { name: "cut by its length", answer: { content: [call("a")], stopReason: "length" as const } },
    { name: "with arguments that are no JSON", answer: scriptedToolCall("work", '{"path": "con', "a") },
  ])("AI-29, B106: answers $name are asked for anew three times in a row at most", async ({ answer }) => {
    const tool = scriptedTool("work", { respond: "ok" });
    const answers = [answer, answer, scriptedToolCall("work"), ...Array.from({ length: 9 }, () => answer)];
    const { agent, stream } = scriptedAgent(answers, { tools: [tool] });
    await agent.prompt("go");
    expect({ asked: stream.requests.length, ran: tool.calls.length }).toEqual({ asked: 6, ran: 1 });
    expect(agent.state.messages.at(-1)).toMatchObject({ role: "toolResult", isError: true });
    expect(unpairedCalls(agent.state.messages)).toEqual([]);
    // Another prompt counts anew.
    await agent.prompt("once more");
    expect(stream.requests.length).toBe(9);
  });

  test("B148: calls of an answer that broke off never run and leave no trace", async () => {
    const tool = scriptedTool("work", { respond: "ok" });
    const broken = {
      content: [scriptedText("hm"), call("a", "work", {}), scriptedText("and then")],
      error: { code: "overloaded" as const, afterDeltas: 2 },
    };
    const { agent } = scriptedAgent([broken], { tools: [tool] });
    await agent.prompt("go");
    expect(tool.calls).toEqual([]);
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "error", error: { code: "overloaded" } });
    expect(unpairedCalls(agent.state.messages)).toEqual([]);
    expect(agent.state.error).toBe("Scripted error: overloaded.");
  });
});

test("AG-08: the usual slips are coerced: numeric text, one value for a list, null for what is optional", async () => {
  const tool = scriptedTool("work", {
    parameters: Type.Object({
      count: Type.Number(),
      paths: Type.Array(Type.String()),
      depth: Type.Optional(Type.Number()),
    }),
    respond: ({ params }) => JSON.stringify(params),
  });
  const answers = [call("a", "work", { count: "3", paths: "x", depth: null }), "done"];
  expect(await runOnce(scriptedAgent(answers, { tools: [tool] }))).toEqual([
    'a ok: {"count":3,"paths":["x"]}',
  ]);
});

describe("failures inside tools and hooks", () => {
  test("AG-05, B229: a throw in one call, in any phase, affects only that call", async () => {
    const failures: unknown[] = [];
    const hooks = new HookRunner(agentHooks, { onFailure: (failure) => failures.push(failure.hook) });
    hooks.on("tool_call", (draft) => {
      if (draft.call.id === "a") throw new Error("guard down");
      return undefined;
    });
    hooks.on("tool_result", (outcome) => {
      if (outcome.call.id === "c") throw new Error("after down");
      return undefined;
    });
    const tool = scriptedTool("work");
    const scripted = scriptedAgent([[call("a"), call("b"), call("c")], "done"], { tools: [tool], hooks });
    const run = runOnce(scripted);
    (await tool.started(0)).fail(new Error("tool down"));
    (await tool.started(1)).finish("fine");
    expect(await run).toEqual([
      "a error: Blocked: Hook tool_call of unknown failed: guard down",
      "b error: tool down",
      "c ok: fine",
    ]);
    expect(failures).toEqual(["tool_result"]);
  });

  test("AG-07: a throw and a declared error are both errors, and the result hook may turn each", async () => {
    const hooks = hooksOf();
    hooks.on("tool_result", (outcome) => ({
      isError: !outcome.isError,
      content: [...outcome.content, { type: "text", text: ` (was ${outcome.isError})` }],
    }));
    const tool = scriptedTool("work");
    const run = runOnce(scriptedAgent([[call("a"), call("b"), call("c")], "done"], { tools: [tool], hooks }));
    (await tool.started(0)).fail(new Error("thrown"));
    (await tool.started(1)).finish({ content: [{ type: "text", text: "declared" }], isError: true });
    (await tool.started(2)).finish("good");
    expect(await run).toEqual([
      "a ok: thrown (was true)",
      "b ok: declared (was true)",
      "c error: good (was false)",
    ]);
  });

  test("B233: several result hooks all apply, in order", async () => {
    const hooks = hooksOf();
    for (const mark of ["A", "B"]) {
      hooks.on("tool_result", ({ content }) => ({ content: [...content, { type: "text", text: mark }] }));
    }
    const tool = scriptedTool("work", { respond: "x" });
    expect(await runOnce(scriptedAgent([call("a"), "done"], { tools: [tool], hooks }))).toEqual([
      "a ok: xAB",
    ]);
  });

  test.each([
    { given: undefined, stored: "a error: The tool work gave no usable result: content was undefined." },
    {
      given: { content: undefined },
      stored: "a error: The tool work gave no usable result: content was undefined.",
    },
    { given: { content: "s" }, stored: "a ok: s" },
    {
      given: { content: [{ type: "video" }] },
      stored: "a error: The tool work gave no usable result: content was unknown content blocks.",
    },
  ])(
    "B234: a malformed result ($given) is brought into shape before it is stored",
    async ({ given, stored }) => {
      const tool: AnyAgentTool = { ...scriptedTool("work"), execute: async () => given as never };
      expect(await runOnce(scriptedAgent([call("a"), "done"], { tools: [tool] }))).toEqual([stored]);
    },
  );
});

test("B236: a reload while a tool runs (new tools, other hooks) drops no result; the hooks then in place see it", async () => {
  const hooks = hooksOf();
  const off = hooks.on("tool_result", ({ content }) => ({
    content: [...content, { type: "text", text: "!" }],
  }));
  const tool = scriptedTool("work");
  const scripted = scriptedAgent([call("a"), call("b", "fresh"), "done"], { tools: [tool], hooks });
  const run = runOnce(scripted);
  const running = await tool.started(0);
  off();
  hooks.on("tool_result", ({ content }) => ({ content: [...content, { type: "text", text: "?" }] }));
  scripted.agent.state.tools = [scriptedTool("fresh", { respond: "new" })];
  running.finish("old");
  expect(await run).toEqual(["a ok: old?", "b ok: new?"]);
});

describe("the tool_call hook", () => {
  test("blocks with a reason, and a changed input reaches later guards and the tool", async () => {
    const hooks = hooksOf();
    hooks.on("tool_call", ({ input }) => ({ input: { ...input, path: `/safe/${String(input.path)}` } }));
    hooks.on("tool_call", ({ input }) =>
      input.path === "/safe/b" ? { block: true, reason: `no ${String(input.path)}` } : undefined,
    );
    const tool = scriptedTool("work", { respond: ({ params }) => String(params.path) });
    const answers = [[call("a", "work", { path: "a" }), call("b", "work", { path: "b" })], "done"];
    expect(await runOnce(scriptedAgent(answers, { tools: [tool], hooks }))).toEqual([
      "a ok: /safe/a",
      "b error: Blocked: no /safe/b",
    ]);
  });

  test("B235: arguments that a hook spoils, by answer or in place, are refused; the transcript keeps the model's", async () => {
    const hooks = hooksOf();
    hooks.on("tool_call", ({ call: { id }, input }) => {
      if (id === "a") return { input: { path: [5] } };
      (input as { path: unknown }).path = { deep: true };
      return undefined;
    });
    const tool = scriptedTool("work", { parameters: Type.Object({ path: Type.Boolean() }), respond: "ran" });
    const scripted = scriptedAgent(
      [[call("a", "work", { path: true }), call("b", "work", { path: true })], "done"],
      { tools: [tool], hooks },
    );
    const answered = await runOnce(scripted);
    expect(answered.map((line) => line.slice(0, 40))).toEqual([
      "a error: A hook changed the arguments. T",
      "b error: A hook changed the arguments. T",
    ]);
    expect(scripted.agent.state.messages[1]).toMatchObject({
      content: [{ arguments: { path: true } }, { arguments: { path: true } }],
    });
  });
});

describe("AG-09: a tool may end the run", () => {
  const ending = { content: [{ type: "text" as const, text: "final" }], terminate: true };
  test.each([
    { name: "one call that asks", answers: [ending], queued: false, requests: 1 },
    { name: "two calls that ask", answers: [ending, ending], queued: false, requests: 1 },
    { name: "only one of two asks", answers: [ending, "go on"], queued: false, requests: 2 },
    { name: "one call that asks, with a queued message", answers: [ending], queued: true, requests: 2 },
  ])("$name: $requests requests", async ({ answers, queued, requests }) => {
    const tool = scriptedTool("work", { respond: ({ id }) => answers[Number(id)] ?? "" });
    const { agent, stream } = scriptedAgent([answers.map((_, index) => call(String(index))), "done"], {
      tools: [tool],
    });
    if (queued) agent.followUp({ role: "user", content: "more", timestamp: 1 });
    await agent.prompt("go");
    expect(stream.requests.length).toBe(requests);
  });
});
