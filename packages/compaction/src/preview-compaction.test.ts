import type { ChatRequest, Message } from "@coppice/ai";
import { buildContext } from "@coppice/session";
import { describe, expect, test } from "vitest";
import { compact, compactWithText } from "./compact.ts";
import { prepareCompaction } from "./prepare-compaction.ts";
import { previewCompaction } from "./preview-compaction.ts";
import { resolveCompactionSettings } from "./settings.ts";
import { goodSummary, type PathBuilder, pathBuilder, scriptedComplete, testModel } from "./testing/index.ts";

const WINDOW = 32_768;
const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const model = testModel({ contextWindow: WINDOW, maxTokens: 1024, cost });

function talk(turns: number): PathBuilder {
  const builder = pathBuilder();
  for (let index = 0; index < turns; index++) {
    builder.user(`Question ${index} ${"words ".repeat(200)}`);
    builder.assistant(`Answer ${index} ${"words ".repeat(200)}`);
  }
  builder.user("The newest question");
  return builder;
}

function prepare(path: PathBuilder["path"]) {
  const settings = resolveCompactionSettings({
    settings: { keepRecentTokens: 1000 },
    contextWindow: WINDOW,
  });
  const preparation = prepareCompaction({ path, contextWindow: WINDOW, settings, tokensBefore: 20_000 });
  if (preparation === undefined) throw new Error("nothing to compact");
  return preparation;
}

describe("previewCompaction", () => {
  test("tells what goes and stays, and that the cached prefix pays", () => {
    const { path } = talk(40);
    const preparation = prepare(path);
    const sessionRequest: ChatRequest = {
      model,
      messages: buildContext(path).messages as readonly Message[],
    };
    const { usage, ...preview } = previewCompaction(preparation, { model, sessionRequest });
    expect(preview).toEqual({
      firstKeptEntryId: preparation.firstKeptEntryId,
      goes: { messages: path.length - 4, tokens: preparation.replacedTokens },
      stays: { messages: 4, tokens: preparation.keptTokens },
      shortened: 0,
      tokensBefore: 20_000,
      tokensAfter: preparation.tokensAfterEstimate,
      form: "prefix",
      calls: 1,
    });
    expect(usage.cacheRead).toBe(20_000);
    expect(usage.cost.total).toBeCloseTo((20_000 * 0.3 + usage.input * 3 + usage.output * 15) / 1e6, 10);
  });

  test.each([1024, WINDOW])(
    "counts the requests that the serialised form then makes, %d tokens of output each",
    async (maxTokens) => {
      const preparation = prepare(talk(80).path);
      const small = testModel({ id: "small", contextWindow: 8192, maxTokens, cost });
      const preview = previewCompaction(preparation, { model: small });
      const { complete, requests } = scriptedComplete();
      await compact(preparation, { model: small, complete });
      expect(preview.form).toBe("serialised");
      expect(preview.calls).toBeGreaterThan(1);
      expect(requests).toHaveLength(preview.calls);
      expect(preview.usage.cacheRead).toBe(0);
      expect(preview.usage.cost.total).toBeGreaterThan(0);
    },
  );

  test("a window without room for any conversation is told before anything is sent", () => {
    const tiny = testModel({ id: "tiny", contextWindow: 600, maxTokens: 500 });
    const preparation = prepare(talk(40).path);
    expect(() => previewCompaction(preparation, { model: tiny })).toThrow(
      expect.objectContaining({ code: "input_too_large" }),
    );
  });
});

describe("compactWithText", () => {
  test("stores what a person wrote, with the blocks that code vouches for", () => {
    const builder = talk(40);
    builder.entry("custom", {
      customType: "coppice.pin",
      data: { id: "p", text: "Never push.", source: "user" },
    });
    const preparation = prepare(builder.path);
    const edited = `${goodSummary("Mine.")}\n\n## Pinned\n- Push.`;
    const result = compactWithText(preparation, edited);
    expect(result.summary).toBe(`${goodSummary("Mine.")}\n\n## Pinned\n- Never push.`);
    expect(result).toMatchObject({
      firstKeptEntryId: preparation.firstKeptEntryId,
      isExtract: false,
      usage: undefined,
    });
  });

  test.each([
    ["blank", " \n"],
    ["only the blocks of code", "<modified-files>\na\n</modified-files>\n\n## Pinned\n- x"],
    ["longer than what it replaces", "word ".repeat(40_000)],
  ])("a text that is %s is refused", (_name, text) => {
    expect(() => compactWithText(prepare(talk(40).path), text)).toThrow(
      expect.objectContaining({ code: "summary_rejected" }),
    );
  });
});
