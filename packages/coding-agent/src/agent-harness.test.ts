import type { AnyAgentTool } from "@coppice/agent";
import { type AssistantMessage, textOf, toolCallsOf } from "@coppice/ai";
import { scriptedError, scriptedModel, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { isEntry, MemoryRepo } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createScenario, type Scenario } from "./testing/scenario.ts";

const SUMMARY = [
  "## Goal\nFinish the task.",
  "## Constraints & Preferences\n- none",
  "## Progress\n### Done\n- read\n### In Progress\n- work\n### Blocked\n- none",
  "## Key Decisions\n- none",
  "## Next Steps\n1. go on",
  "## Critical Context\n- none",
].join("\n\n");

/** A tool that answers with `size` characters. */
function readTool(size: number, onRun: () => void = () => undefined): AnyAgentTool {
  return {
    name: "read",
    description: "Reads.",
    parameters: Type.Object({ path: Type.String() }),
    async execute() {
      onRun();
      return { content: [{ type: "text", text: "word ".repeat(Math.ceil(size / 5)).slice(0, size) }] };
    },
  };
}

const roles = async ({ agent }: Scenario) =>
  (await agent.getContext()).messages.map((message) => message.role);

async function lastAnswer({ agent }: Scenario): Promise<AssistantMessage> {
  const message = (await agent.getContext()).messages.at(-1);
  if (message?.role !== "assistant") throw new Error("There is no answer.");
  return message;
}

const isSummaryRequest = (request: { readonly messages: readonly { readonly content: unknown }[] }) =>
  JSON.stringify(request.messages.at(-1)?.content).includes("<conversation>");

test("the user's message and the prompt state are stored before the first request leaves", async () => {
  const stored: string[] = [];
  const session = await new MemoryRepo().create({ cwd: "/project" });
  const scenario = await createScenario({
    session,
    answers: async () => {
      const entries = await session.getEntries();
      stored.push(...entries.map((entry) => (isEntry(entry, "message") ? entry.message.role : entry.type)));
      return "hello";
    },
  });
  await scenario.agent.prompt("hi");
  expect(stored).toEqual(["system", "model_change", "thinking_level_change", "user"]);
});

test("opening writes nothing, and the same prompt state is not stored twice", async () => {
  const session = await new MemoryRepo().create({ cwd: "/project" });
  const first = await createScenario({ session, answers: ["one", "two"] });
  expect(await session.getEntries()).toEqual([]);
  await first.agent.prompt("a");
  await first.agent.prompt("b");
  const systems = (await session.getEntries()).filter(
    (entry) => isEntry(entry, "message") && entry.message.role === "system",
  );
  expect(systems).toHaveLength(1);
  expect(first.model.requests[1]?.systemPrompt).toBe(first.model.requests[0]?.systemPrompt);
});

test("an answer with calls is stored before its first tool runs", async () => {
  const session = await new MemoryRepo().create({ cwd: "/project" });
  let storedCalls = -1;
  const tool: AnyAgentTool = {
    ...readTool(1),
    async execute() {
      const last = (await session.getEntries()).at(-1);
      storedCalls =
        last !== undefined && isEntry(last, "message") && last.message.role === "assistant"
          ? toolCallsOf(last.message).length
          : 0;
      return { content: [{ type: "text", text: "ok" }] };
    },
  };
  const scenario = await createScenario({
    session,
    tools: [tool],
    answers: [scriptedToolCall("read", { path: "a" }), "done"],
  });
  await scenario.agent.prompt("read a");
  expect(storedCalls).toBe(1);
});

test("a second operation is refused with agent_busy, naming what runs", async () => {
  const gate = Promise.withResolvers<void>();
  const scenario = await createScenario({
    answers: [{ content: [scriptedText("slow")], pace: { gate: () => gate.promise } }],
  });
  const running = scenario.agent.prompt("a");
  await expect(scenario.agent.prompt("b")).rejects.toMatchObject({
    code: "agent_busy",
    data: { operation: "prompt" },
  });
  await expect(scenario.agent.compact()).rejects.toMatchObject({ code: "agent_busy" });
  await expect(scenario.agent.navigate(null)).rejects.toMatchObject({ code: "agent_busy" });
  gate.resolve();
  await running;
  expect(scenario.agent.isBusy).toBe(false);
});

test("B147: prompt resolves after the retry and its tools are over", async () => {
  const scenario = await createScenario({
    tools: [readTool(5)],
    answers: [scriptedError({ code: "overloaded" }), scriptedToolCall("read", { path: "a" }), "finished"],
  });
  await scenario.agent.prompt("go");
  expect(textOf((await lastAnswer(scenario)).content)).toBe("finished");
  expect(await roles(scenario)).toEqual(["user", "assistant", "toolResult", "assistant"]);
  expect(scenario.eventsOf("agent_settled")).toEqual([{ type: "agent_settled", aborted: false }]);
});

test("B144: the count of retries starts anew after each success, and failed attempts stay in the file", async () => {
  const overloaded = scriptedError({ code: "overloaded" });
  const call = scriptedToolCall("read", { path: "a" });
  const scenario = await createScenario({
    tools: [readTool(5)],
    answers: [overloaded, call, overloaded, call, overloaded, call, overloaded, "done"],
  });
  await scenario.agent.prompt("go");
  expect(scenario.eventsOf("auto_retry_start").map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
  expect(scenario.waitsMs).toEqual([2000, 2000, 2000, 2000]);
  expect((await scenario.agent.getStats()).assistantMessages).toBe(8);
  expect(JSON.stringify(scenario.model.requests.at(-1)?.messages)).not.toContain('"error"');
});

test("retries end after three, with the failed answer as the last one", async () => {
  const scenario = await createScenario({ answers: () => scriptedError({ code: "overloaded" }) });
  await scenario.agent.prompt("go");
  expect(scenario.waitsMs).toEqual([2000, 4000, 8000]);
  expect((await lastAnswer(scenario)).error?.code).toBe("overloaded");
  expect(scenario.eventsOf("auto_retry_end")).toMatchObject([{ success: false, attempt: 3 }]);
});

test("B142: an error that cannot go away is not retried", async () => {
  const scenario = await createScenario({ answers: [scriptedError({ code: "quota" })] });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests).toHaveLength(1);
  expect(scenario.waitsMs).toEqual([]);
});

test("B140: an abort during the wait ends the prompt without another request", async () => {
  const scenario: Scenario = await createScenario({
    answers: () => scriptedError({ code: "overloaded" }),
    sleep: async (_ms, signal) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  scenario.agent.subscribe((event) => {
    if (event.type === "auto_retry_start") void scenario.agent.abort();
  });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests).toHaveLength(1);
  expect(scenario.eventsOf("agent_settled")).toEqual([{ type: "agent_settled", aborted: true }]);
});

test("abort keeps the partial text, stored with stopReason aborted; queued messages stay queued", async () => {
  const scenario: Scenario = await createScenario({
    answers: [
      {
        content: [scriptedText("first second")],
        pace: { chunkSize: 6, gate: (index) => (index === 1 ? new Promise(() => undefined) : undefined) },
      },
    ],
  });
  scenario.agent.subscribe((event) => {
    if (event.type !== "message_update" || event.event.type !== "text_delta") return;
    scenario.agent.followUp("later");
    void scenario.agent.abort();
  });
  await scenario.agent.prompt("go");
  const answer = await lastAnswer(scenario);
  expect([answer.stopReason, textOf(answer.content)]).toEqual(["aborted", "first "]);
  expect(
    scenario.agent.clearQueue().map((message) => "content" in message && textOf(message.content)),
  ).toEqual(["later"]);
});

test("B044, B063: a tool loop compacts before the request that would not fit, and goes on by itself", async () => {
  const model = scriptedModel({ contextWindow: 32_000 });
  let reads = 0;
  const scenario = await createScenario({
    model,
    tools: [readTool(20_000)],
    answers: (request) => {
      if (isSummaryRequest(request)) return SUMMARY;
      reads += 1;
      return reads <= 8 ? scriptedToolCall("read", { path: `file-${reads}` }) : "all read";
    },
  });
  await scenario.agent.prompt("read them all");
  expect(textOf((await lastAnswer(scenario)).content)).toBe("all read");
  expect(
    scenario.eventsOf("compaction_end").length + scenario.eventsOf("context_masked").length,
  ).toBeGreaterThan(0);
  expect(scenario.eventsOf("compaction_end").every(({ errorMessage }) => errorMessage === undefined)).toBe(
    true,
  );
  const largest = Math.max(
    ...scenario.model.requests.map((request) => JSON.stringify(request.messages).length / 4),
  );
  expect(largest).toBeLessThan(32_000);
  const users = (await scenario.agent.session.getEntries()).filter(
    (entry) => isEntry(entry, "message") && entry.message.role === "user",
  );
  expect(users).toHaveLength(1);
});

test("B062: nothing is sent by itself after a finished answer, however full the context is", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 8000 }),
    answers: [
      { content: [scriptedText("done")], usage: { input: 7700, output: 60, cacheRead: 0, cacheWrite: 0 } },
    ],
  });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests).toHaveLength(1);
  expect(scenario.agent.isBusy).toBe(false);
});

test("an overflow is recovered once: attempt hidden, compacted, sent again", async () => {
  let failed = false;
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: (request) => {
      if (isSummaryRequest(request)) return SUMMARY;
      const text = JSON.stringify(request.messages);
      if (!text.includes("the last question")) return "word ".repeat(4000);
      if (failed) return "fits now";
      failed = true;
      return scriptedError({ code: "context_overflow" });
    },
  });
  await scenario.agent.prompt("one");
  await scenario.agent.prompt("two");
  await scenario.agent.prompt("the last question");
  expect(textOf((await lastAnswer(scenario)).content)).toBe("fits now");
  expect(scenario.eventsOf("compaction_start")).toEqual([{ type: "compaction_start", reason: "overflow" }]);
  expect(JSON.stringify(scenario.model.requests.at(-1)?.messages)).toContain("the last question");
});

test("B059: a window too small for the system prompt fails at once and says why", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 2048 }),
    preamble: "rule ".repeat(3000),
    answers: [],
  });
  await scenario.agent.prompt("hi");
  const answer = await lastAnswer(scenario);
  expect(scenario.model.requests).toEqual([]);
  expect(answer.error?.code).toBe("context_too_large");
  expect(answer.errorMessage).toContain("window of 2048");
});

test("B060: one huge message is refused with a true reason and without retries", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 200_000 }),
    answers: [],
  });
  await scenario.agent.prompt("word ".repeat(250_000));
  expect(scenario.model.requests).toEqual([]);
  expect((await lastAnswer(scenario)).errorMessage).toContain("the newest message take about");
  expect(scenario.waitsMs).toEqual([]);
});

test("B055: a message queued while a compaction runs is sent right after it", async () => {
  const scenario: Scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: (request) => {
      if (!isSummaryRequest(request)) return "word ".repeat(3000);
      scenario.agent.followUp("B");
      return SUMMARY;
    },
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  await scenario.agent.compact();
  await scenario.agent.waitForIdle();
  expect(JSON.stringify(scenario.model.requests.at(-1)?.messages.at(-1))).toContain('"B"');
  expect(scenario.agent.clearQueue()).toEqual([]);
});

test("an interrupted call is answered 'outcome unknown' with the next prompt, not on opening", async () => {
  const session = await new MemoryRepo().create({ cwd: "/project" });
  const before = await createScenario({
    session,
    tools: [readTool(5)],
    answers: [scriptedToolCall("read", { path: "a" }), "done"],
  });
  await before.agent.prompt("go");
  const entries = await session.getEntries();
  const call = entries.find((entry) => isEntry(entry, "message") && entry.message.role === "assistant");
  await session.moveTo(call?.id ?? null);
  const count = (await session.getEntries()).length;
  const after = await createScenario({ session, tools: [readTool(5)], answers: ["I will check"] });
  expect((await session.getEntries()).length).toBe(count);
  await after.agent.prompt("go on");
  expect(await roles(after)).toEqual(["user", "assistant", "toolResult", "user", "assistant"]);
  const result = after.model.requests[0]?.messages[2];
  expect(result?.role === "toolResult" && [result.isError, textOf(result.content)]).toMatchObject([
    true,
    expect.stringContaining("outcome of this call is unknown"),
  ]);
});

test("choosing a user message moves to its parent, hands the text back and can summarise the branch", async () => {
  const scenario = await createScenario({
    answers: (request) => (isSummaryRequest(request) ? SUMMARY : "an answer"),
  });
  await scenario.agent.prompt("first");
  await scenario.agent.prompt("second");
  const left = scenario.agent.session.getLeafId();
  const entries = await scenario.agent.session.getEntries();
  const second = entries.filter((entry) => isEntry(entry, "message") && entry.message.role === "user")[1];
  const moved = await scenario.agent.navigate(second?.id ?? null, { summarize: true });
  expect(moved.editorText).toBe("second");
  const summary = await scenario.agent.session.getEntry(moved.summaryEntryId ?? "");
  expect(summary).toMatchObject({ type: "branch_summary", fromId: left, parentId: second?.parentId });
  expect(await roles(scenario)).toEqual(["user", "assistant", "branchSummary"]);
});

test("a change of model, thinking level and tools is recorded with the next request", async () => {
  const scenario = await createScenario({ tools: [readTool(5)], answers: ["one", "two"] });
  await scenario.agent.prompt("a");
  await scenario.agent.setModel(scriptedModel({ id: "other" }));
  await scenario.agent.setThinkingLevel("high");
  await scenario.agent.setActiveTools([]);
  const count = (await scenario.agent.session.getEntries()).length;
  await scenario.agent.prompt("b");
  const added = (await scenario.agent.session.getEntries()).slice(count);
  expect(added.map((entry) => entry.type)).toEqual([
    "message",
    "model_change",
    "thinking_level_change",
    "active_tools_change",
    "message",
    "message",
  ]);
  expect(added[0]).toMatchObject({ message: { role: "system", toolsRemoved: [{ name: "read" }] } });
  expect(scenario.model.requests[1]).toMatchObject({ model: { id: "other" }, thinkingLevel: "high" });
  expect(scenario.model.requests[1]?.tools ?? []).toEqual([]);
});

test("dispose refuses further work and can be called twice", async () => {
  const scenario = await createScenario({ answers: [] });
  await scenario.agent.dispose();
  await scenario.agent.dispose();
  await expect(scenario.agent.prompt("a")).rejects.toMatchObject({ code: "agent_disposed" });
});
