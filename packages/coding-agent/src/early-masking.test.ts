import { scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario, type Scenario } from "./testing/scenario.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";

const FILES = Object.fromEntries(
  Array.from({ length: 45 }, (_, at) => [
    `/project/src/${at}.ts`,
    `const value${at} = compute(${at});\n`.repeat(330),
  ]),
);
const PRICES = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };

async function readAll(compaction: object): Promise<Scenario> {
  const environment = createMemoryEnvironment({ files: FILES });
  let reads = 0;
  const scenario = await createScenario({
    environment,
    compaction,
    model: scriptedModel({ contextWindow: 200_000, cost: PRICES }),
    tools: createBuiltinTools({ cwd: "/project", environment }),
    answers: () => (reads === 45 ? "all read" : scriptedToolCall("read", { path: `src/${reads++}.ts` })),
  });
  await scenario.agent.prompt("Read everything.");
  return scenario;
}

async function outcomeOf(scenario: Scenario) {
  const entries = await scenario.agent.session.getEntries();
  return {
    masked: scenario.eventsOf("context_masked"),
    edits: entries.filter((entry) => isEntry(entry, "context_edit")).length,
    compactions: entries.filter((entry) => isEntry(entry, "compaction")).length,
    tokens: (await scenario.agent.getContextUsage()).tokens,
  };
}

test("on a large window old results are shortened before any summary, where the prices say that it pays", async () => {
  const early = await outcomeOf(await readAll({}));
  expect(early.masked.length).toBeGreaterThan(0);
  for (const { tokensBefore, tokensAfter } of early.masked) {
    expect(tokensBefore - tokensAfter).toBeGreaterThan(25_000);
  }
  expect([early.compactions, early.edits > 10]).toEqual([0, true]);
  const late = await outcomeOf(await readAll({ maskEarly: false }));
  expect([late.masked, late.edits, late.compactions]).toEqual([[], 0, 0]);
  expect(late.tokens).toBeGreaterThan(early.tokens + 25_000);
});

test("masks are taken back as the newest step, and what was whole again is not masked anew", async () => {
  const scenario = await readAll({});
  const { agent } = scenario;
  const whole = await (await readAll({ maskEarly: false })).agent.getContext();
  const masked = scenario.eventsOf("context_masked").reduce((sum, { entries }) => sum + entries, 0);
  const step = await agent.undoCompaction();
  expect(step).toMatchObject({ unmasked: masked, tokens: (await agent.getContextUsage()).tokens });
  expect(scenario.eventsOf("compaction_undone")).toEqual([{ type: "compaction_undone", ...step }]);
  const texts = (messages: typeof whole.messages) =>
    messages.map((message) => ("content" in message ? JSON.stringify(message.content) : ""));
  expect(texts((await agent.getContext()).messages)).toEqual(texts(whole.messages));
  await agent.prompt("And now?");
  expect(scenario.eventsOf("context_masked").reduce((sum, { entries }) => sum + entries, 0)).toBe(masked);
  await expect(agent.undoCompaction()).rejects.toMatchObject({ code: "nothing_to_undo" });
});
