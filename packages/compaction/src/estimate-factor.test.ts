import type { AgentMessage } from "@coppice/agent";
import { expect, test } from "vitest";
import { estimateTokens } from "./estimate.ts";
import { learnEstimateFactor, scaledEstimator } from "./estimate-factor.ts";
import { assistantMessage, usageOf } from "./testing/index.ts";

const user = (tokens: number): AgentMessage => ({
  role: "user",
  content: "abcd".repeat(tokens),
  timestamp: 0,
});
const report = (input: number, model = "m") => assistantMessage([], { model, usage: usageOf({ input }) });

test.each([
  {
    name: "the newest report counts",
    messages: [user(1000), report(9), user(1000), report(2400)],
    expected: 1.2,
  },
  {
    name: "another model's report teaches nothing",
    messages: [user(1000), report(2000, "other")],
    expected: 1,
  },
  { name: "few tokens teach nothing", messages: [user(10), report(100)], expected: 1 },
  { name: "an absurd report is bounded", messages: [user(1000), report(90_000)], expected: 3 },
])("$name", ({ messages, expected }) => {
  expect(learnEstimateFactor({ messages, model: "m" })).toBeCloseTo(expected, 5);
});

test("a scaled estimator multiplies, and the same factor is the same estimator", () => {
  expect(estimateTokens(user(100), scaledEstimator(1.2))).toBe(120);
  expect(scaledEstimator(1.21)).toBe(scaledEstimator(1.2));
});
