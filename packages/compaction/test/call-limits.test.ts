import type { AssistantMessage, ChatRequest, Message } from "@coppice/ai";
import { buildContext } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compact, compactOrExtract } from "../src/compact.ts";
import { CompactionError } from "../src/errors.ts";
import { estimateTokens } from "../src/estimate.ts";
import { prepareCompaction } from "../src/prepare-compaction.ts";
import { previewCompaction } from "../src/preview-compaction.ts";
import { resolveCompactionSettings } from "../src/settings.ts";
import {
  assistantMessage,
  goodSummary,
  pathBuilder,
  scriptedComplete,
  testModel,
} from "../src/testing/index.ts";
import { arbitraryPath } from "./arbitrary-path.ts";

const MOST_CALLS = 8;
const contextWindow = 200_000;

/** Plans of a wide window, so that a narrow summary model needs chunks; the cut splits a turn where there is one turn. */
function planOf(path: ReturnType<typeof pathBuilder>["path"]) {
  const settings = resolveCompactionSettings({
    settings: { keepRecentTokens: 500, minTurnsToKeep: 0 },
    contextWindow,
  });
  try {
    return prepareCompaction({ path, contextWindow, settings, tokensBefore: 3000 });
  } catch (error) {
    if (error instanceof CompactionError) return undefined;
    throw error;
  }
}

/** History and then one turn of many calls: a cut in it needs two summaries. */
function splitTurn(results: number) {
  const builder = pathBuilder();
  for (let index = 0; index < 40; index++) {
    builder.user(`Question ${index} ${"words ".repeat(150)}`);
    builder.assistant(`Answer ${index} ${"words ".repeat(150)}`);
  }
  builder.user("Read them all");
  for (let index = 0; index < results; index++) {
    builder.toolCall(`t${index}`, "read", { path: `${index}.ts` });
    builder.toolResult(`t${index}`, "words ".repeat(350));
  }
  return builder;
}

/** As long as the request allows. */
const longSummary = (request: ChatRequest) =>
  goodSummary("word ".repeat(Math.floor(((request.maxOutputTokens ?? request.model.maxTokens) - 60) / 1.25)));

test.each([4096, 6000, 8192, 16_384])(
  "a split turn over a summary window of %d takes at most eight calls, and as many as the dry run says",
  async (window) => {
    const plan = planOf(splitTurn(60).path);
    if (plan === undefined || !plan.isSplitTurn) throw new Error("no split");
    const model = testModel({ id: "small", contextWindow: window, maxTokens: 1024 });
    const script = scriptedComplete((request) =>
      JSON.stringify(request.messages).includes("## Original Request")
        ? longPrefix(request)
        : longSummary(request),
    );
    const result = await compact(plan, { model, complete: script.complete });
    expect(result.isExtract).toBe(false);
    expect(script.requests.length).toBeLessThanOrEqual(MOST_CALLS);
    expect(previewCompaction(plan, { model }).calls).toBe(script.requests.length);
    for (const request of script.requests) {
      const sent = request.messages.reduce((sum, message) => sum + estimateTokens(message), 0);
      expect(sent + (request.maxOutputTokens ?? model.maxTokens)).toBeLessThan(window);
    }
  },
);

function longPrefix(request: ChatRequest): string {
  return `## Original Request\nRead.\n\n## Early Progress\n${longSummary(request).slice(0, 2000)}`;
}

test("an answer on the prefix that is no summary leaves seven calls for the serialised form", async () => {
  const { path } = splitTurn(20);
  const plan = planOf(path);
  if (plan === undefined) throw new Error("nothing to compact");
  const model = testModel({ contextWindow: 8192, maxTokens: 1024 });
  const sessionRequest = { model, messages: buildContext(path).messages as readonly Message[] };
  let isFirst = true;
  const script = scriptedComplete((request): string | AssistantMessage => {
    if (!isFirst) {
      return JSON.stringify(request.messages).includes("## Original Request")
        ? longPrefix(request)
        : longSummary(request);
    }
    isFirst = false;
    return assistantMessage([{ type: "toolCall", id: "1", name: "read", arguments: {} }], {
      stopReason: "toolUse",
    });
  });
  await compact(plan, { model, sessionRequest, complete: script.complete });
  expect(script.requests[0]?.messages.length).toBe(sessionRequest.messages.length + 1);
  expect(script.requests.length).toBeGreaterThan(2);
  expect(script.requests.length).toBeLessThanOrEqual(MOST_CALLS);
});

test("whatever the history and the summary model's window, a summary takes at most eight calls", async () => {
  const windows = fc.constantFrom(2048, 4096, 8192, 32_768);
  await fc.assert(
    fc.asyncProperty(arbitraryPath({ minTurns: 2 }), windows, async (path, window) => {
      const plan = planOf(path);
      if (plan === undefined) return;
      const model = testModel({ contextWindow: window, maxTokens: 512 });
      const { complete, requests } = scriptedComplete();
      await compactOrExtract(plan, { model, complete }).catch(() => undefined);
      expect(requests.length).toBeLessThanOrEqual(MOST_CALLS);
    }),
  );
});

test("a summary request that is refused as too long is the only one: the extract follows", async () => {
  for (const isOnPrefix of [true, false]) {
    const { path } = splitTurn(20);
    const plan = planOf(path);
    if (plan === undefined) throw new Error("nothing to compact");
    const model = testModel({ contextWindow: isOnPrefix ? contextWindow : 8192, maxTokens: 1024 });
    const { complete, requests } = scriptedComplete(
      assistantMessage([], {
        stopReason: "error",
        errorMessage: "prompt is too long",
        error: { code: "context_overflow", retryable: false },
      }),
    );
    const sessionRequest = { model, messages: buildContext(path).messages as readonly Message[] };
    const options = { model, complete, ...(isOnPrefix ? { sessionRequest } : {}) };
    const { result, failure } = await compactOrExtract(plan, options);
    expect(requests).toHaveLength(1);
    expect([result.isExtract, failure?.code]).toEqual([true, "input_too_large"]);
  }
});
