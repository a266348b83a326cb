import { describe, expect, test } from "vitest";
import { compactByExtract } from "./compact.ts";
import { resolveCompactionSettings } from "./settings.ts";
import {
  type CompactionStrategy,
  extractStrategy,
  type ShrinkContextInput,
  type StrategyOutcome,
  shrinkContext,
} from "./strategy.ts";
import {
  assistantMessage,
  goodSummary,
  type PathBuilder,
  pathBuilder,
  scriptedComplete,
  testModel,
} from "./testing/index.ts";

const contextWindow = 8192;
const model = testModel({ contextWindow, maxTokens: 1024 });

function reads(count: number, chars: number): PathBuilder {
  const builder = pathBuilder();
  builder.user("Read them all");
  for (let index = 0; index < count; index++) {
    builder.toolCall(`t${index}`, "read", { path: `${index}.ts` });
    builder.toolResult(`t${index}`, `${index} ${"x".repeat(chars)}`);
  }
  return builder;
}

function talk(): PathBuilder {
  const builder = pathBuilder();
  for (let index = 0; index < 20; index++) {
    builder.user(`Question ${index}`);
    builder.assistant("abcd".repeat(300));
  }
  return builder;
}

/** Of the call that a test appends to `talk`. */
const RESULT = { targetId: "e42", text: "…" };

function shrink(builder: PathBuilder, options: Partial<ShrinkContextInput> = {}) {
  const settings = resolveCompactionSettings({ contextWindow });
  const call = { complete: scriptedComplete().complete, model };
  return shrinkContext({ path: builder.path, contextWindow, settings, tokensBefore: 7000, call, ...options });
}

describe("shrinkContext", () => {
  test("masks old results first, without a model call", async () => {
    const script = scriptedComplete();
    const shrunk = await shrink(reads(14, 2000), { call: { complete: script.complete, model } });
    expect(shrunk).toMatchObject({ strategy: "mask", failures: [], outcome: { type: "mask" } });
    expect(script.requests).toEqual([]);
  });

  test("summarises where there is nothing to mask", async () => {
    const shrunk = await shrink(talk());
    expect(shrunk).toMatchObject({ strategy: "summarize", outcome: { result: { summary: goodSummary() } } });
  });

  test("B052: takes the extract where no good summary can be had, and says why", async () => {
    const complete = scriptedComplete(assistantMessage("No.")).complete;
    const shrunk = await shrink(talk(), { call: { complete, model } });
    expect(shrunk).toMatchObject({
      strategy: "extract",
      outcome: { result: { isExtract: true } },
      failures: [{ strategy: "summarize", error: { code: "summary_rejected" } }],
    });
  });

  test("CO-08: nothing to do is neither an outcome nor an error", async () => {
    expect(await shrink(pathBuilder())).toEqual({ outcome: undefined, strategy: undefined, failures: [] });
  });

  test.each([
    ["an empty summary", { summary: " " }, "its summary is empty"],
    [
      "a foreign boundary",
      { firstKeptEntryId: "elsewhere" },
      'its boundary "elsewhere" is no entry of this branch',
    ],
    [
      "a shortened question",
      { shortenings: [{ targetId: "e1", text: "" }] },
      '"e1" is no tool result or plain answer that the model sees',
    ],
  ])("CO-20: %s of a contributed strategy is refused", async (_name, change, message) => {
    const bad: CompactionStrategy = {
      name: "bad",
      shrink: async ({ preparation }) =>
        preparation && { type: "compaction", result: { ...compactByExtract(preparation), ...change } },
    };
    await expect(shrink(talk(), { strategies: [bad] })).rejects.toThrow(message);
  });

  test("CO-05: a contributed compaction that keeps nothing keeps input that nobody has answered", async () => {
    const greedy: CompactionStrategy = {
      name: "greedy",
      shrink: async ({ preparation }) =>
        preparation && {
          type: "compaction",
          result: { ...compactByExtract(preparation), firstKeptEntryId: "", retainedTail: [] },
        },
    };
    const path = talk();
    expect((await shrink(path, { strategies: [greedy] })).outcome).toMatchObject({
      result: { firstKeptEntryId: "", retainedTail: [] },
    });
    const fresh = path.user("What now?");
    expect((await shrink(path, { strategies: [greedy] })).outcome).toMatchObject({
      result: { firstKeptEntryId: fresh, retainedTail: [{ role: "user", content: "What now?" }] },
    });
  });

  test("CO-20: what is neither a compaction nor a masking is refused", async () => {
    const bad: CompactionStrategy = {
      name: "bad",
      shrink: async () => ({ type: "nothing" }) as unknown as StrategyOutcome,
    };
    await expect(shrink(talk(), { strategies: [bad] })).rejects.toThrow("neither a compaction nor a masking");
  });

  test.each([
    ["nothing", [], "it shortens nothing"],
    [
      "an entry of another branch",
      [{ targetId: "nowhere", text: "" }],
      '"nowhere" is no entry of this branch',
    ],
    [
      "what a person said",
      [{ targetId: "e1", text: "" }],
      '"e1" is no tool result or plain answer that the model sees',
    ],
    [
      "a call",
      [{ targetId: "e41", text: "" }],
      '"e41" is no tool result or plain answer that the model sees',
    ],
    ["a result twice", [RESULT, RESULT], '"e42" is shortened twice'],
    ["a result without a text", [{ targetId: "e42" }], 'it has no text for "e42"'],
    ["a result by a longer one", [{ targetId: "e42", text: "abcd".repeat(50) }], "it frees nothing"],
    ["no list", undefined, "it names no results"],
  ])(
    "CO-20: a contributed strategy that masks %s is refused, and the next rung is asked",
    async (_name, shortenings, message) => {
      const outcome = { type: "mask", shortenings } as StrategyOutcome;
      const bad: CompactionStrategy = { name: "bad", shrink: async () => outcome };
      const path = talk();
      path.toolCall("t1", "bash");
      path.toolResult("t1", "abcd".repeat(10));
      await expect(shrink(path, { strategies: [bad] })).rejects.toThrow(message);
      const { strategy, failures } = await shrink(path, { strategies: [bad, extractStrategy] });
      expect([strategy, failures.map((failure) => failure.strategy)]).toEqual(["extract", ["bad"]]);
    },
  );
});
