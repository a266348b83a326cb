import { expect, test } from "vitest";
import { isSilentOverflow } from "./silent-overflow.ts";
import { assistantMessage, usageOf } from "./testing/index.ts";

test.each([
  {
    name: "B086: a full window while the estimate is far above",
    input: 8192,
    estimatedTokens: 15_000,
    expected: true,
  },
  { name: "a full window that was estimated so", input: 8192, estimatedTokens: 8200, expected: false },
  { name: "a prompt above the window", input: 9000, estimatedTokens: 8200, expected: true },
  { name: "a prompt below the window", input: 5000, estimatedTokens: 15_000, expected: false },
])("$name: $expected", ({ input, estimatedTokens, expected }) => {
  const answer = assistantMessage("x", { usage: usageOf({ input, output: 5 }) });
  expect(isSilentOverflow({ answer, contextWindow: 8192, estimatedTokens })).toBe(expected);
});

test("a full window that left no room for an answer", () => {
  const answer = assistantMessage([], { stopReason: "length", usage: usageOf({ input: 8192 }) });
  expect(isSilentOverflow({ answer, contextWindow: 8192, estimatedTokens: 8000 })).toBe(true);
});
