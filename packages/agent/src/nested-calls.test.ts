import { textOf, type Usage, ZERO_USAGE } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { HookRunner } from "./hook-runner.ts";
import { agentHooks } from "./hooks.ts";
import { scriptedAgent, scriptedTool } from "./testing/index.ts";
import type { AnyAgentTool, ToolResult } from "./tool.ts";
import { totalUsage } from "./transcript.ts";

const paid = (input: number): Usage => ({
  ...ZERO_USAGE,
  input,
  totalTokens: input,
  cost: { ...ZERO_USAGE.cost, input: input / 1_000, total: input / 1_000 },
});

/** A tool that asks an agent of its own, whose two tools made paid calls. */
function delegate(seenInside: string[]): AnyAgentTool {
  return {
    ...scriptedTool("delegate"),
    async execute(_id, _params, _signal, onUpdate) {
      const { agent, seen } = scriptedAgent(
        [[scriptedToolCall("one", {}, "inner-1"), scriptedToolCall("two", {}, "inner-2")], "inner answer"],
        {
          tools: [
            scriptedTool("one", { respond: { content: [{ type: "text", text: "1" }], usage: paid(1_000) } }),
            scriptedTool("two", { respond: { content: [], isError: true, usage: paid(20) } }),
          ],
        },
      );
      agent.subscribe((event) => {
        if (event.type !== "tool_execution_end") return;
        onUpdate({ content: [{ type: "text", text: `${event.toolName} ended` }] });
      });
      await agent.prompt("sub task");
      seenInside.push(...seen.lines());
      return { content: [{ type: "text", text: "delegated" }], usage: totalUsage(agent.state.messages) };
    },
  };
}

test("AG-18: totals hold what nested calls cost, and what happens inside is told as progress of the outer call", async () => {
  const seenInside: string[] = [];
  const { agent, seen } = scriptedAgent([scriptedToolCall("delegate", {}, "outer"), "done"], {
    tools: [delegate(seenInside)],
  });
  await agent.prompt("go");

  const answers = agent.state.messages.filter((message) => message.role === "assistant");
  const result = agent.state.messages.find((message) => message.role === "toolResult");
  const inside = result?.usage ?? ZERO_USAGE;
  const total = totalUsage(agent.state.messages);
  expect(inside.input).toBeGreaterThan(1_020);
  expect(total.totalTokens).toBe(
    answers.reduce((sum, { usage }) => sum + usage.totalTokens, inside.totalTokens),
  );
  expect(total.cost.total).toBeCloseTo(
    answers.reduce((sum, { usage }) => sum + usage.cost.total, inside.cost.total),
    9,
  );

  expect(seenInside).toContain("tool_execution_start inner-1");
  expect(seen.lines().filter((line) => line.includes("inner"))).toEqual([]);
  const told = seen.of("tool_execution_update");
  expect(told.length).toBeGreaterThan(0);
  expect(told.map(({ toolCallId, partial }) => [toolCallId, textOf(partial.content)]).at(-1)).toEqual([
    "outer",
    "two ended",
  ]);
});

test.each([
  { name: "changes", change: (): Partial<ToolResult> => ({ content: [] }), isError: false },
  {
    name: "spoils",
    change: (): Partial<ToolResult> => {
      return { content: [{ type: "video" } as never], isError: true };
    },
    isError: true,
  },
])(
  "AG-18: a result hook that $name the result does not lose what the call cost",
  async ({ change, isError }) => {
    const hooks = new HookRunner(agentHooks, { onFailure: () => undefined });
    hooks.on("tool_result", () => ({ ...change(), isError }));
    const tool = scriptedTool("work", { respond: { content: [], usage: paid(7) } });
    const { agent } = scriptedAgent([scriptedToolCall("work"), "done"], { tools: [tool], hooks });
    await agent.prompt("go");
    expect(agent.state.messages.find((message) => message.role === "toolResult")).toMatchObject({
      isError,
      usage: { input: 7 },
    });
  },
);

test("AG-18: a result that a hanging hook never released after an abort still counts what it cost", async () => {
  vi.useFakeTimers();
  try {
    const hooks = new HookRunner(agentHooks, { onFailure: () => undefined });
    const asked = Promise.withResolvers<void>();
    hooks.on("tool_result", () => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    const tool = scriptedTool("work", { respond: { content: [], usage: paid(7) } });
    const { agent } = scriptedAgent([scriptedToolCall("work")], { tools: [tool], hooks, abortGraceMs: 100 });
    const run = agent.prompt("go");
    await asked.promise;
    agent.abort();
    await vi.advanceTimersByTimeAsync(100);
    await run;
    expect(agent.state.messages.find((message) => message.role === "toolResult")).toMatchObject({
      isError: true,
      content: [{ text: "Aborted by the user. The result was not released by a hook." }],
      usage: { input: 7 },
    });
  } finally {
    vi.useRealTimers();
  }
});
