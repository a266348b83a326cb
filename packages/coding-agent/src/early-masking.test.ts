import { scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario } from "./testing/scenario.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";

const FILES = Object.fromEntries(
  Array.from({ length: 45 }, (_, at) => [
    `/project/src/${at}.ts`,
    `const value${at} = compute(${at});\n`.repeat(330),
  ]),
);
const PRICES = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };

async function readAll(compaction: object) {
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
  const entries = await scenario.agent.session.getEntries();
  return {
    masked: scenario.eventsOf("context_masked"),
    edits: entries.filter((entry) => isEntry(entry, "context_edit")).length,
    compactions: entries.filter((entry) => isEntry(entry, "compaction")).length,
    tokens: (await scenario.agent.getContextUsage()).tokens,
  };
}

test("on a large window old results are shortened before any summary, where the prices say that it pays", async () => {
  const early = await readAll({});
  expect(early.masked.length).toBeGreaterThan(0);
  for (const { tokensBefore, tokensAfter } of early.masked) {
    expect(tokensBefore - tokensAfter).toBeGreaterThan(25_000);
  }
  expect([early.compactions, early.edits > 10]).toEqual([0, true]);
  const late = await readAll({ maskEarly: false });
  expect([late.masked, late.edits, late.compactions]).toEqual([[], 0, 0]);
  expect(late.tokens).toBeGreaterThan(early.tokens + 25_000);
});
