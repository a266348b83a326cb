import type { ChatRequest } from "@coppice/ai";
import { expect, test } from "vitest";
import { compact } from "./compact.ts";
import { prepareCompaction } from "./prepare-compaction.ts";
import { resolveCompactionSettings } from "./settings.ts";
import {
  assistantMessage,
  goodSummary,
  pathBuilder,
  requestText,
  scriptedComplete,
  testModel,
} from "./testing/index.ts";

const contextWindow = 8192;
const model = testModel({ contextWindow, maxTokens: 1024 });

function scenario(tokensBefore = 5000) {
  const builder = pathBuilder();
  builder.user(`Long question ${"words ".repeat(600)}`);
  builder.assistant("Answer.");
  builder.user("The newest question");
  const settings = resolveCompactionSettings({ settings: { keepRecentTokens: 5 }, contextWindow });
  const preparation = prepareCompaction({ path: builder.path, contextWindow, settings, tokensBefore });
  if (preparation === undefined) throw new Error("nothing to compact");
  const sessionRequest: ChatRequest = {
    model,
    messages: [{ role: "user", content: "as the session sends it", timestamp: 1 }],
    systemPrompt: "session prompt",
    tools: [{ name: "read", description: "reads", parameters: { type: "object" } }],
    thinkingLevel: "high",
    sessionId: "s1",
  };
  return { preparation, sessionRequest };
}

test("the session's own request is sent with one instruction appended and nothing else changed", async () => {
  const { preparation, sessionRequest } = scenario();
  const script = scriptedComplete(goodSummary("On the prefix."));
  const result = await compact(preparation, {
    complete: script.complete,
    model,
    sessionRequest,
    customInstructions: "look",
  });
  const { messages, ...rest } = script.requests[0] ?? sessionRequest;
  const { messages: sent, ...same } = sessionRequest;
  expect(rest).toEqual(same);
  expect(messages.slice(0, -1)).toEqual(sent);
  const instruction = messages.at(-1)?.content;
  expect(instruction).toContain('What begins with "The newest question"');
  expect(instruction).toContain("look");
  expect(result.summary).toBe(goodSummary("On the prefix."));
});

test("B052: an answer with a tool call is refused and the serialised form follows", async () => {
  const { preparation, sessionRequest } = scenario();
  const call = assistantMessage([{ type: "toolCall", id: "1", name: "read", arguments: {} }], {
    stopReason: "toolUse",
  });
  const script = scriptedComplete(call, goodSummary("Serialised."));
  const result = await compact(preparation, { complete: script.complete, model, sessionRequest });
  expect(script.requests).toHaveLength(2);
  expect(script.requests[1]?.tools).toBeUndefined();
  expect(requestText(script.requests[1])).toContain("[User]: Long question");
  expect(result.summary).toBe(goodSummary("Serialised."));
});

test("a request refused as too long is not asked again in another form", async () => {
  const { preparation, sessionRequest } = scenario();
  const tooLong = assistantMessage([], {
    stopReason: "error",
    error: { code: "context_overflow", retryable: false },
  });
  const script = scriptedComplete(tooLong);
  await expect(
    compact(preparation, { complete: script.complete, model, sessionRequest }),
  ).rejects.toMatchObject({
    code: "input_too_large",
  });
  expect(script.requests).toHaveLength(1);
});

test.each([
  ["another model writes summaries", { ...model, id: "cheap" }, 5000],
  ["the context is over the window", model, 9000],
] as const)("the serialised form is used when %s", async (_name, summaryModel, tokensBefore) => {
  const { preparation, sessionRequest } = scenario(tokensBefore);
  const script = scriptedComplete();
  await compact(preparation, { complete: script.complete, model: summaryModel, sessionRequest });
  expect(script.requests[0]).toMatchObject({ cacheRetention: "none", model: summaryModel });
});
