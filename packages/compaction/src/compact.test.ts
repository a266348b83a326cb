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

  test("CO-07: a split turn takes two requests, one after the other, both with the instructions, merged into one", async () => {
    const builder = pathBuilder();
    builder.user(`History ${"words ".repeat(200)}`);
    builder.assistant("Fine.");
    builder.user("Fix the parser");
    for (const id of ["t1", "t2", "t3"]) {
      builder.toolCall(id, "read", { path: `${id}.ts` });
      builder.toolResult(id, "words ".repeat(200));
    }
    let open = 0;
    const script = scriptedComplete(
      goodSummary("All."),
      "## Original Request\nFix.\n\n## Early Progress\n- Read.",
    );
    const complete: typeof script.complete = async (request) => {
      expect(open++).toBe(0);
      const answer = await script.complete(request);
      open--;
      return answer;
    };
    const result = await compact(prepare(builder.path, { keepRecentTokens: 400, minTurnsToKeep: 0 }), {
      complete,
      model,
      customInstructions: "look here",
    });
    expect(script.requests.map((request) => requestText(request).includes("look here"))).toEqual([
      true,
      true,
    ]);
    expect(requestText(script.requests[0])).not.toContain("Fix the parser");
    expect(requestText(script.requests[1])).toContain("[User]: Fix the parser");
    expect(result.summary).toBe(
      [
        goodSummary("All."),
        "---",
        "**The turn in progress**",
        "## Original Request\nFix.",
        "## Early Progress\n- Read.",
        "<newest-request>\nFix the parser\n</newest-request>",
        "<read-files>\nt1.ts\nt2.ts\n</read-files>",
      ].join("\n\n"),
    );
    expect(result.usage).toMatchObject({ input: 200, output: 40, totalTokens: 240 });
  });

  test("B064: with a previous summary it is updated, and what code appended to it is not shown to the model", async () => {
    const builder = longTalk();
    builder.compaction(`${goodSummary("Earlier goal.")}\n\n<read-files>\nold.ts\n</read-files>`, "e3", {
      checkpoint: { files: { readFiles: ["old.ts"], modifiedFiles: [] } },
    });
    builder.user("After it");
    const script = scriptedComplete(goodSummary("New goal."));
    const result = await compact(prepare(builder.path), { complete: script.complete, model });
    const text = requestText(script.requests[0]);
    expect(text).toContain(`<previous-summary>\n${goodSummary("Earlier goal.")}\n</previous-summary>`);
    expect(text).toContain("Bring the previous summary up to date");
    expect(text).not.toContain("old.ts");
    expect(result.summary).toBe(`${goodSummary("New goal.")}\n\n<read-files>\nold.ts\n</read-files>`);
  });

  test("CO-09: a history over the summary model's window goes in chunks that feed one another", async () => {
    let calls = 0;
    const script = scriptedComplete(() => goodSummary(`Part ${++calls}.`));
    const small = testModel({ contextWindow: 2048, maxTokens: 256 });
    const result = await compact(prepare(longTalk().path), { complete: script.complete, model: small });
    expect(script.requests.length).toBeGreaterThan(1);
    expect(requestText(script.requests[1])).toContain(goodSummary("Part 1."));
    expect(result.summary).toBe(goodSummary(`Part ${script.requests.length}.`));
  });

  test.each([
    ["B054: a model that does not reason gets no level", false, "high", undefined],
    ["B054: the level off is not sent", true, "off", undefined],
    ["a model that reasons gets the session's level", true, "high", "high"],
  ] as const)("%s", async (_name, reasoning, thinkingLevel, expected) => {
    const script = scriptedComplete();
    await compact(prepare(longTalk().path), {
      complete: script.complete,
      model: { ...model, reasoning },
      thinkingLevel,
    });
    expect(script.requests[0]?.thinkingLevel).toBe(expected);
  });

  test("pins end the summary, an open failure that the summary leaves out is named", async () => {
    const builder = pathBuilder();
    builder.user(`Build it ${"words ".repeat(300)}`);
    builder.toolCall("t1", "bash", { command: "make all" });
    builder.toolResult("t1", "error: missing header", { isError: true, toolName: "bash" });
    builder.assistant("It fails.");
    builder.entry("custom", {
      customType: "coppice.pin",
      data: { id: "1", text: "Never\npush.", source: "user" },
    });
    builder.user("words ".repeat(140));
    const preparation = prepare(builder.path);
    const { summary } = await compact(preparation, { complete: scriptedComplete().complete, model });
    expect(summary).toBe(
      `${goodSummary()}\n\n<last-failure>\nbash: make all\nerror: missing header\n</last-failure>\n\n## Pinned\n- Never\n  push.`,
    );
    const named = scriptedComplete(goodSummary("Make `make all` work."));
    expect((await compact(preparation, { complete: named.complete, model })).summary).not.toContain(
      "<last-failure>",
    );
  });
});
