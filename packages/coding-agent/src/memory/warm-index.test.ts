import type { AnyAgentTool } from "@coppice/agent";
import { expect, onTestFinished, test, vi } from "vitest";
import { createScenario } from "../testing/scenario.ts";
import { RECALL_TOOL_NAME } from "../tools/recall/entry-quote.ts";

/** An agent on timers that only a test moves, and how often its session's index was built. */
async function setUp({ toolName = RECALL_TOOL_NAME, answerMs = 0 } = {}) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const tool: AnyAgentTool = {
    ...{ name: toolName, label: toolName, description: "", parameters: { type: "object" } },
    execute: async () => ({ content: [] }),
  };
  const { agent } = await createScenario({
    answers() {
      vi.advanceTimersByTime(answerMs);
      return "fine";
    },
    tools: [tool],
  });
  let builds = 0;
  agent.session.buildIndex = async () => {
    builds++;
    throw new Error("the disk is gone");
  };
  return { agent, builds: () => builds };
}

// Each build fails here: whoever needs the index later is told, and nothing else is.
test("the index is built a second after a run, once for runs that follow one another sooner", async () => {
  const { agent, builds } = await setUp();
  await agent.prompt("a");
  vi.advanceTimersByTime(900);
  await agent.prompt("b");
  vi.advanceTimersByTime(900);
  expect(builds()).toBe(0);
  vi.advanceTimersByTime(100);
  expect(builds()).toBe(1);
});

test("a session that was opened and waits for its first prompt has it built, too", async () => {
  const { builds } = await setUp();
  vi.advanceTimersByTime(1000);
  expect(builds()).toBe(1);
});

test("a model that takes half a second to answer finds it built when it calls for something", async () => {
  for (const [answerMs, built] of [
    [400, 0],
    [500, 1],
  ] as const) {
    const { agent, builds } = await setUp({ answerMs });
    await agent.prompt("a");
    expect(builds()).toBe(built);
  }
});

test("without the tool that needs it no index is built", async () => {
  const { agent, builds } = await setUp({ toolName: "other" });
  await agent.prompt("a");
  vi.advanceTimersByTime(1000);
  expect(builds()).toBe(0);
});

test("an agent that ends leaves no timer: the index of a closed session is not built", async () => {
  const { agent, builds } = await setUp();
  await agent.prompt("a");
  await agent.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(builds()).toBe(0);
});
