import type { ContextInspection } from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { contextLines } from "./context-lines.ts";

const entry = (entryId: string, role: string, more: object) => ({
  ...{ entryId, type: "message", role, state: "in", reason: "On the branch.", tokens: 0, costUsd: 0 },
  ...more,
});

test("the context is shown by source and entry by entry; what can never reach the model is counted", () => {
  const inspection = {
    tokens: 4_000,
    isEstimate: true,
    sources: [
      { source: "system", tokens: 3_000 },
      { source: "user", tokens: 1_000 },
    ],
    entries: [
      entry("0123456789abcdef", "user", { tokens: 1_000 }),
      entry("fedcba9876543210", "assistant", {
        state: "summarised",
        costUsd: 0.0123,
        reason: "In the\u001b[31m summary.",
      }),
      entry("a", "label", { state: "not_sent" }),
      entry("b", "user", { state: "other_branch" }),
    ],
  } as ContextInspection;
  expect(contextLines(inspection)).toEqual([
    "The next request: ~4k tokens",
    `  system  3k  ${"█".repeat(18)}`,
    `  user    1k  ${"█".repeat(6)}`,
    "",
    "0123456…  user       in          1k           On the branch.",
    "fedcba9…  assistant  summarised      $0.0123  In the summary.",
    "2 more are on other branches or never reach the model",
  ]);
});
