import { expect, test } from "vitest";
import { clampThinkingLevel, supportedThinkingLevels } from "./thinking.ts";

test.each([
  { name: "a model that does not reason", model: { reasoning: false }, level: "high", clamped: "off" },
  { name: "a level the model knows", model: { reasoning: true }, level: "medium", clamped: "medium" },
  { name: "xhigh that is not declared", model: { reasoning: true }, level: "xhigh", clamped: "high" },
  {
    name: "xhigh that is declared",
    model: { reasoning: true, thinkingLevels: { xhigh: "xhigh" } },
    level: "xhigh",
    clamped: "xhigh",
  },
  {
    name: "off that cannot be had",
    model: { reasoning: true, thinkingLevels: { off: null } },
    level: "off",
    clamped: "minimal",
  },
  {
    name: "a gap, upwards first",
    model: { reasoning: true, thinkingLevels: { minimal: null, medium: null, max: "max" } },
    level: "medium",
    clamped: "high",
  },
  {
    name: "above the strongest, downwards",
    model: { reasoning: true, thinkingLevels: { high: null } },
    level: "max",
    clamped: "medium",
  },
] as const)("AI-46: $name becomes $clamped", ({ model, level, clamped }) => {
  expect(clampThinkingLevel(model, level)).toBe(clamped);
});

test("levels run from the weakest to the strongest", () => {
  expect(supportedThinkingLevels({ reasoning: true, thinkingLevels: { off: null, max: "max" } })).toEqual([
    "minimal",
    "low",
    "medium",
    "high",
    "max",
  ]);
});
