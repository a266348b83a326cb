import type { AssistantMessage } from "@coppice/ai";
import { buildContext } from "@coppice/session";
import { expect, test } from "vitest";
import { compact } from "../src/compact.ts";
import { estimateContextTokens } from "../src/estimate.ts";
import { prepareCompaction } from "../src/prepare-compaction.ts";
import { resolveCompactionSettings } from "../src/settings.ts";
import { shouldCompact } from "../src/should-compact.ts";
import {
  assistantMessage,
  goodSummary,
  type PathBuilder,
  pathBuilder,
  requestText,
  scriptedComplete,
  testModel,
  usageOf,
} from "../src/testing/index.ts";
import { usageValidFrom } from "../src/usage-valid-from.ts";

const contextWindow = 4096;
const settings = resolveCompactionSettings({ contextWindow });
const model = testModel({ contextWindow, maxTokens: 512 });

function talk(builder: PathBuilder, labels: readonly string[]): void {
  for (const label of labels) {
    builder.user(`Question ${label}`);
    builder.assistant(`Answer ${label} ${"words ".repeat(500)}`);
  }
}

function planOf(path: PathBuilder["path"]) {
  const plan = prepareCompaction({ path, contextWindow, settings, tokensBefore: 3500 });
  if (plan === undefined) throw new Error("nothing to compact");
  return plan;
}

function sizeOf(path: PathBuilder["path"]) {
  const { messages, entries } = buildContext(path);
  return estimateContextTokens({ messages, usageValidFrom: usageValidFrom(path, entries) });
}

test.each([
  { name: "an empty boundary", boundary: "" },
  { name: "a boundary that is on no path", boundary: "nowhere" },
  { name: "its own id as boundary", boundary: "c1" },
])("B061, CO-23: after a compaction with $name nothing from before it comes back", ({ boundary }) => {
  const builder = pathBuilder();
  talk(builder, ["one", "two"]);
  builder.entry("compaction", { summary: "Earlier.", firstKeptEntryId: boundary, tokensBefore: 9 }, "c1");
  talk(builder, ["three", "four", "five"]);
  const plan = planOf(builder.path);
  const text = JSON.stringify([plan.messagesToSummarize, plan.turnPrefixMessages, plan.retainedTail]);
  expect(text).not.toContain("Question two");
  expect(text).toContain("Question three");
  expect(plan.previousSummary).toBe("Earlier.");
});

test("CO-04: another branch and its compaction have no part in what is summarised", () => {
  const trunk = pathBuilder();
  talk(trunk, ["shared"]);
  const left = pathBuilder(trunk.path);
  talk(left, ["left"]);
  left.compaction("Of the left branch.", "e1");
  const right = pathBuilder(trunk.path);
  talk(right, ["right", "further"]);
  const plan = planOf(right.path);
  expect(plan.previousSummary).toBeUndefined();
  const text = JSON.stringify([plan.messagesToSummarize, plan.turnPrefixMessages, plan.retainedTail]);
  expect(text).toContain("Question shared");
  expect(text).not.toContain("Question left");
});

test("CO-17: right after a compaction the size is an estimate and says so", async () => {
  const builder = pathBuilder();
  talk(builder, ["one", "two"]);
  builder.user("Question three");
  builder.assistant("Answer three", { usage: usageOf({ input: 3500 }) });
  expect(sizeOf(builder.path)).toMatchObject({ tokens: 3500, isEstimate: false });
  const { complete } = scriptedComplete();
  const result = await compact(planOf(builder.path), { complete, model });
  builder.compaction(result.summary, result.firstKeptEntryId);
  expect(sizeOf(builder.path)).toEqual({
    tokens: result.tokensAfter,
    reportedTokens: 0,
    isEstimate: true,
  });
});

test("CO-26: the same context is due for the smaller window of the next model and not for the larger", () => {
  const due = (window: number) =>
    shouldCompact({
      contextTokens: 60_000,
      contextWindow: window,
      settings: resolveCompactionSettings({ contextWindow: window }),
    });
  expect([due(200_000), due(32_768)]).toEqual([false, true]);
});

test("CO-27: an aborted answer reports nothing, so what it was asked counts before the next prompt", () => {
  const builder = pathBuilder();
  builder.user("Question");
  builder.assistant("Answer", { usage: usageOf({ input: 2000 }) });
  builder.user("words ".repeat(1200));
  builder.assistant("Par", { stopReason: "aborted", usage: usageOf({ input: 1 }) });
  const { tokens } = sizeOf(builder.path);
  expect(tokens).toBeGreaterThan(3000);
  expect(shouldCompact({ contextTokens: tokens, contextWindow, settings })).toBe(true);
});

test("CO-28: the summary is made from the projection, so what an edit hid or replaced stays so", async () => {
  const builder = pathBuilder();
  const hidden = builder.user("The secret of the first message");
  builder.assistant("words ".repeat(400));
  const replaced = builder.user("The long version");
  talk(builder, ["two", "three"]);
  builder.entry("context_edit", { targetId: hidden, replacement: null });
  builder.entry("context_edit", { targetId: replaced, replacement: { content: "The short version" } });
  const script = scriptedComplete();
  await compact(planOf(builder.path), { complete: script.complete, model });
  const input = script.requests.map(requestText).join("\n");
  expect(input).toContain("The short version");
  expect(input).not.toMatch(/The secret|The long version/);
});

test("CO-12, CO-14: every call goes through the host's own path, whose failure keeps its class for a retry", async () => {
  const builder = pathBuilder();
  talk(builder, ["one", "two", "three"]);
  const overloaded: AssistantMessage = assistantMessage([], {
    stopReason: "error",
    errorMessage: "503",
    error: { code: "overloaded", retryable: true },
  });
  const script = scriptedComplete(overloaded, goodSummary());
  const plan = planOf(builder.path);
  await expect(compact(plan, { complete: script.complete, model })).rejects.toMatchObject({
    code: "summary_failed",
    retryable: true,
  });
  await compact(plan, { complete: script.complete, model });
  expect(script.requests).toHaveLength(2);
});

test("CO-13: the serialised form writes no cache and names no session", async () => {
  const builder = pathBuilder();
  talk(builder, ["one", "two", "three"]);
  const script = scriptedComplete();
  await compact(planOf(builder.path), { complete: script.complete, model });
  expect(script.requests[0]).toMatchObject({ cacheRetention: "none" });
  expect(script.requests[0]).not.toHaveProperty("sessionId");
});
