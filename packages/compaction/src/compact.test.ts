import { describe, expect, test } from "vitest";
import { compact, compactByExtract, compactOrExtract } from "./compact.ts";
import { EXTRACT_NOTE } from "./extract.ts";
import { prepareCompaction } from "./prepare-compaction.ts";
import { type CompactionSettingsInput, resolveCompactionSettings } from "./settings.ts";
import {
  assistantMessage,
  goodSummary,
  type PathBuilder,
  pathBuilder,
  requestText,
  scriptedComplete,
  testModel,
} from "./testing/index.ts";

const WINDOW = 8192;
const model = testModel({ contextWindow: WINDOW, maxTokens: 1024 });

function prepare(path: PathBuilder["path"], settings: CompactionSettingsInput = { keepRecentTokens: 200 }) {
  const resolved = resolveCompactionSettings({ settings, contextWindow: WINDOW });
  const preparation = prepareCompaction({
    path,
    contextWindow: WINDOW,
    settings: resolved,
    tokensBefore: 7000,
  });
  if (preparation === undefined) throw new Error("nothing to compact");
  return preparation;
}

function longTalk(): PathBuilder {
  const builder = pathBuilder();
  for (const topic of ["one", "two", "three"]) {
    builder.user(`Question ${topic} ${"words ".repeat(200)}`);
    builder.assistant(`Answer ${topic} ${"words ".repeat(200)}`);
  }
  builder.user("The newest question");
  return builder;
}

describe("compact", () => {
  test("asks once, without tools, thinking or cache, and returns the summary with its boundary", async () => {
    const script = scriptedComplete(goodSummary("Learn."));
    const builder = longTalk();
    const result = await compact(prepare(builder.path), {
      complete: script.complete,
      model,
      thinkingLevel: "high",
      customInstructions: "the words",
    });
    expect(result.summary).toBe(goodSummary("Learn."));
    expect(result.firstKeptEntryId).toBe("e7");
    expect(result.isExtract).toBe(false);
    expect(script.requests).toHaveLength(1);
    const request = script.requests[0];
    expect(Object.keys(request ?? {}).sort()).toEqual([
      "cacheRetention",
      "messages",
      "model",
      "systemPrompt",
    ]);
    expect(request?.cacheRetention).toBe("none");
    expect(requestText(request)).toContain("[User]: Question one");
    expect(requestText(request)).toContain("the words");
    expect(requestText(request)).not.toContain("The newest question");
  });

  test.each([
    ["blank", assistantMessage("   ")],
    ["one word", assistantMessage("Done.")],
    ["a refusal", assistantMessage("I cannot help with that.")],
    ["cut off", assistantMessage(goodSummary(), { stopReason: "length" })],
    ["failed", assistantMessage([], { stopReason: "error", errorMessage: "503" })],
    [
      "B052: a tool call",
      assistantMessage([{ type: "toolCall", id: "1", name: "read", arguments: {} }], {
        stopReason: "toolUse",
      }),
    ],
    ["longer than what it replaces", assistantMessage(goodSummary("word ".repeat(9000)))],
  ])("refuses a summary that is %s and the extract takes over", async (_name, answer) => {
    const preparation = prepare(longTalk().path);
    await expect(
      compact(preparation, { complete: scriptedComplete(answer).complete, model }),
    ).rejects.toThrow();
    const { result, failure } = await compactOrExtract(preparation, {
      complete: scriptedComplete(answer).complete,
      model,
    });
    expect(failure?.name).toBe("CompactionError");
    expect(result).toEqual(compactByExtract(preparation));
    expect(result.isExtract).toBe(true);
    expect(result.summary).toContain(EXTRACT_NOTE);
    expect(result.summary).toContain("Question one");
  });

  test("an abort is an abort, not a reason for an extract", async () => {
    const answer = assistantMessage([], { stopReason: "aborted" });
    const options = { complete: scriptedComplete(answer).complete, model };
    await expect(compactOrExtract(prepare(longTalk().path), options)).rejects.toMatchObject({
      code: "aborted",
    });
  });
});
