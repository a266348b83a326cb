import { expect, test } from "vitest";
import { catalogueCost, withAnsweredCost } from "./answered-cost.ts";
import type { AssistantMessage } from "./message.ts";
import { scriptedMessage } from "./testing/scripted-message.ts";
import { usageWithCost } from "./usage.ts";

const requested = { input: 10, output: 20, cacheRead: 1, cacheWrite: 0 };
const answering = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 };
const counts = { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheWrite: 0, reasoning: 5 };
const message = scriptedMessage({
  provider: "p",
  model: "big",
  responseModel: "small",
  usage: usageWithCost(counts, { cost: requested }),
});
const costFor = (provider: string, id: string) =>
  provider === "p" && id === "small" ? answering : undefined;

test("AI-07: the model that answered sets the price; both names stay", async () => {
  const priced = await withAnsweredCost(message, costFor);
  expect(priced).toEqual({ ...message, usage: usageWithCost(counts, { cost: answering }) });
  expect(priced.usage.cost.total).toBeCloseTo(3.1);
});

test.each([
  { name: "no other model is named", change: { responseModel: undefined } },
  { name: "the other model's prices are not known", change: { responseModel: "small-2026-11-30" } },
  {
    name: "AI-44: the provider billed a total",
    change: {
      usage: { ...message.usage, cost: { ...message.usage.cost, total: 7, totalFromProvider: true } },
    },
  },
])("the cost stays when $name", async ({ change }) => {
  const given = { ...message, ...change } as AssistantMessage;
  expect(await withAnsweredCost(given, costFor)).toBe(given);
});

test("the catalogue knows its own prices and nothing else", async () => {
  expect(await catalogueCost("anthropic", "claude-fable-5")).toMatchObject({ input: 10, output: 50 });
  expect(await catalogueCost("anthropic", "none")).toBeUndefined();
  expect(await catalogueCost("nobody", "none")).toBeUndefined();
});
