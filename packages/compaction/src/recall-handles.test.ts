import { buildContextEntries } from "@coppice/session";
import { expect, test } from "vitest";
import { compact } from "./compact.ts";
import { planMasking } from "./mask.ts";
import { prepareCompaction } from "./prepare-compaction.ts";
import { resolveCompactionSettings } from "./settings.ts";
import { goodSummary, type PathBuilder, pathBuilder, scriptedComplete, testModel } from "./testing/index.ts";

const contextWindow = 4096;
const settings = resolveCompactionSettings({ contextWindow });

async function summaryOf(builder: PathBuilder, isRecallActive: boolean): Promise<string> {
  const plan = prepareCompaction({
    path: builder.path,
    contextWindow,
    settings,
    tokensBefore: 3500,
    isRecallActive,
  });
  if (plan === undefined) throw new Error("nothing to compact");
  const { complete } = scriptedComplete(goodSummary(`Round ${builder.path.length}.`));
  const { summary, firstKeptEntryId, details, checkpoint } = await compact(plan, {
    complete,
    model: testModel({ contextWindow, maxTokens: 512 }),
  });
  builder.compaction(summary, firstKeptEntryId, { details, checkpoint });
  return summary;
}

function talk(builder: PathBuilder, topics: readonly string[]): void {
  for (const topic of topics) {
    builder.user(`About ${topic}`);
    builder.assistant("words ".repeat(500));
  }
}

test("with recall active a summary names its span and what it was about; a later one carries it", async () => {
  const builder = pathBuilder();
  talk(builder, ["the parser", "the lexer", "the tree"]);
  expect(await summaryOf(builder, true)).toContain(
    "<recall-handles>\nOriginals of what this summary replaces, for the recall tool:\ne1..e4 (4 entries): About the parser; About the lexer\n</recall-handles>",
  );
  talk(builder, ["the codec", "the lock"]);
  const second = await summaryOf(builder, true);
  expect(second.match(/e\d+\.\.e\d+ \(\d+ entries\)/g)).toEqual(["e1..e4 (4 entries)", "e5..e9 (4 entries)"]);
});

test("without recall no handle is written, and those of earlier summaries go", async () => {
  const builder = pathBuilder();
  talk(builder, ["the parser", "the lexer", "the tree"]);
  await summaryOf(builder, true);
  talk(builder, ["the codec", "the lock"]);
  expect(await summaryOf(builder, false)).not.toContain("recall");
});

test.each([
  { isRecallActive: true, way: /Use the recall tool with e3 to see the whole/ },
  { isRecallActive: false, way: /Run the tool again to see the whole/ },
])(
  "a masked result says how to see the whole: recall active is $isRecallActive",
  ({ isRecallActive, way }) => {
    const builder = pathBuilder();
    builder.user("Read.");
    builder.toolCall("t1", "bash", { command: "ls" });
    builder.toolResult("t1", "a line of it\n".repeat(600));
    builder.assistant("words ".repeat(200));
    const [shortening] = planMasking({
      entries: buildContextEntries(builder.path).entries,
      contextTokens: 2500,
      triggerTokens: 2000,
      keepRecentTokens: 100,
      isRecallActive,
    });
    expect(shortening?.text).toMatch(way);
  },
);
