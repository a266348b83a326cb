import { scriptedError, scriptedModel, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { RunningStats, sessionStats } from "./stats.ts";
import { createScenario } from "./testing/scenario.ts";

test("an empty session counts nothing", () => {
  expect(sessionStats([])).toMatchObject({
    userMessages: 0,
    assistantMessages: 0,
    usage: { totalTokens: 0 },
  });
});

test("AG-10: failed attempts, summaries and left branches count in the totals", async () => {
  const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: [
      { ...scriptedError({ code: "overloaded", afterDeltas: 1 }), content: [scriptedText("half")] },
      { content: [scriptedText("one")], usage },
      { content: [scriptedText("two")], usage },
    ],
  });
  await scenario.agent.prompt("a");
  await scenario.agent.navigate(null);
  await scenario.agent.prompt("b");
  const stats = await scenario.agent.getStats();
  expect(stats).toMatchObject({ userMessages: 2, assistantMessages: 3, toolCalls: 0, compactions: 0 });
  expect(stats.usage.totalTokens).toBeGreaterThanOrEqual(220);
  expect(stats.usage.cost.total).toBeGreaterThan(0);
});

test("totals are counted once and then only what is new, also by several at a time", async () => {
  const { agent } = await createScenario({ answers: () => "answer" });
  for (let turn = 0; turn < 3; turn++) await agent.prompt("next");
  const asked: number[] = [];
  const running = new RunningStats({
    getEntriesFrom(start, count) {
      asked.push(start);
      return agent.session.getEntriesFrom(start, count);
    },
  });
  const whole = async () => sessionStats(await agent.session.getEntries());
  expect(await Promise.all([running.stats(), running.stats()])).toEqual([await whole(), await whole()]);
  const before = (await agent.session.getEntries()).length;
  await agent.prompt("next");
  expect(await running.stats()).toEqual(await whole());
  expect(asked).toEqual([0, before, before]);
});

test("the parts of the context usage sum to its tokens, estimated or reported", async () => {
  const scenario = await createScenario({
    appendSystemPrompt: "Also this. ".repeat(50),
    answers: [scriptedToolCall("nope"), "done"],
  });
  const check = async () => {
    const { tokens, parts, ...rest } = await scenario.agent.getContextUsage();
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(tokens);
    expect(Object.values(parts).every((part) => part >= 0)).toBe(true);
    return rest;
  };
  expect(await check()).toEqual({ isEstimate: true, contextWindow: 200_000, triggerTokens: 183_616 });
  await scenario.agent.prompt("go");
  expect(await check()).toMatchObject({ isEstimate: false });
});
