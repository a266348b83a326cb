import { describe, expect, test } from "vitest";
import { type PrepareCompactionInput, prepareCompaction } from "./prepare-compaction.ts";
import { resolveCompactionSettings } from "./settings.ts";
import { pathBuilder } from "./testing/index.ts";

const words = (tokens: number) => "abcd".repeat(tokens);

function prepare(
  path: PrepareCompactionInput["path"],
  options: Partial<PrepareCompactionInput> & { keep?: number } = {},
) {
  const { keep = 50, contextWindow = 32_768, ...rest } = options;
  const settings = resolveCompactionSettings({
    settings: { keepRecentTokens: keep, minTurnsToKeep: 0 },
    contextWindow,
  });
  return prepareCompaction({ path, contextWindow, settings, tokensBefore: 1234, ...rest });
}

function text(message: unknown): unknown {
  return (message as { readonly content: unknown }).content;
}

describe("prepareCompaction", () => {
  test("CO-08: an empty, a one-message and a just-compacted session have nothing to compact", () => {
    const builder = pathBuilder();
    expect(prepare(builder.path)).toBeUndefined();
    builder.user(words(100), "u1");
    expect(prepare(builder.path)).toBeUndefined();
    builder.assistant(words(100));
    builder.user(words(100), "u2");
    builder.compaction("## Goal\nEarlier", "u1");
    expect(prepare(builder.path, { keep: 10 })).toBeUndefined();
  });

  test("B032, CO-03: the second compaction summarises what the first one kept", () => {
    const builder = pathBuilder();
    for (const id of ["u1", "u2", "u3"]) {
      builder.user(`question ${id} ${words(40)}`, id);
      builder.assistant(`answer ${id} ${words(40)}`);
    }
    builder.compaction("## Goal\nEarlier", "u2");
    builder.user("question u4", "u4");
    builder.assistant("answer u4");
    const preparation = prepare(builder.path, { keep: 20 });
    expect(preparation).toMatchObject({
      firstKeptEntryId: "u4",
      previousSummary: "## Goal\nEarlier",
      turnPrefixMessages: [],
      isSplitTurn: false,
    });
    expect(preparation?.messagesToSummarize.map(text)).toEqual([
      expect.stringContaining("question u2"),
      [expect.objectContaining({ text: expect.stringContaining("answer u2") })],
      expect.stringContaining("question u3"),
      [expect.objectContaining({ text: expect.stringContaining("answer u3") })],
    ]);
  });

  test("a given boundary holds while the path grows; one that is not there or puts nothing away is no plan", () => {
    const builder = pathBuilder();
    for (const id of ["u1", "u2", "u3"]) {
      builder.user(`question ${id} ${words(40)}`, id);
      builder.assistant(`answer ${id} ${words(40)}`);
    }
    const before = prepare(builder.path);
    builder.user(words(400), "u4");
    builder.assistant(words(400));
    const firstKeptEntryId = before?.firstKeptEntryId ?? "";
    const after = prepare(builder.path, { firstKeptEntryId });
    expect(prepare(builder.path)?.firstKeptEntryId).not.toBe(firstKeptEntryId);
    expect(after).toMatchObject({ firstKeptEntryId, messagesToSummarize: before?.messagesToSummarize });
    expect(after?.retainedTail).toHaveLength((before?.retainedTail.length ?? 0) + 2);
    expect(after?.keptTokens).toBe((before?.keptTokens ?? 0) + 800);
    for (const id of ["nope", "u1"]) expect(prepare(builder.path, { firstKeptEntryId: id })).toBeUndefined();
  });

  test("B034: a compaction between a call and its result does not part them", () => {
    const builder = pathBuilder();
    builder.user(words(100), "u1");
    builder.toolCall("t1", "read", { path: "a.ts" });
    builder.compaction("## Goal\nEarlier", "u1");
    builder.toolResult("t1", words(10));
    builder.user("next", "u2");
    const preparation = prepare(builder.path, { keep: 15 });
    expect(
      preparation?.messagesToSummarize.concat(preparation.turnPrefixMessages).map(({ role }) => role),
    ).toEqual(["user", "assistant", "toolResult"]);
    expect(preparation?.firstKeptEntryId).toBe("u2");
  });

  test("CO-07: a cut inside a turn parts history and the turn's beginning and keeps the request's words", () => {
    const builder = pathBuilder();
    builder.user("First question");
    builder.assistant(words(50));
    builder.user("Fix the parser, and never touch the lexer.");
    builder.toolCall("t1", "read", { path: "parser.ts" });
    builder.toolResult("t1", words(100));
    builder.toolCall("t2", "read", { path: "lexer.ts" });
    builder.toolResult("t2", words(10));
    const preparation = prepare(builder.path);
    expect(preparation).toMatchObject({
      firstKeptEntryId: "e6",
      isSplitTurn: true,
      newestRequest: "Fix the parser, and never touch the lexer.",
      fileOps: { readFiles: ["parser.ts"], modifiedFiles: [] },
    });
    expect(preparation?.messagesToSummarize).toHaveLength(2);
    expect(preparation?.turnPrefixMessages).toHaveLength(3);
  });

  test("the request of an old turn that the cut splits is not called the newest", () => {
    const builder = pathBuilder();
    builder.user("Old request");
    builder.assistant(words(60));
    builder.assistant(words(30));
    builder.user("New request");
    expect(prepare(builder.path)).toMatchObject({
      firstKeptEntryId: "e3",
      isSplitTurn: true,
      newestRequest: undefined,
    });
  });

  test("the request of a turn that goes on over several compactions is carried from summary to summary", () => {
    const builder = pathBuilder();
    const request = "<newest-request>\nThe old request\n</newest-request>";
    builder.toolCall("t0", "read");
    builder.toolResult("t0", words(5));
    builder.compaction(
      `## Goal\nx\n\n${request}\n\n<read-files>\na.ts\n</read-files>\n\n## Pinned\n- rule`,
      "e1",
    );
    for (const id of ["t1", "t2", "t3"]) {
      builder.toolCall(id, "read", { path: "b.ts" });
      builder.toolResult(id, words(40));
    }
    const preparation = prepare(builder.path);
    expect(preparation?.newestRequest).toBe("The old request");
    expect(preparation?.previousSummary).toBe("## Goal\nx");
  });

  test("CO-22: file lists add up over compactions and branch summaries; modified wins", () => {
    const builder = pathBuilder();
    builder.user("u", "u1");
    builder.entry("branch_summary", {
      fromId: "x",
      summary: "## Goal\nbranch",
      details: { readFiles: ["branch-read.ts", "a.ts"], modifiedFiles: ["branch-modified.ts"] },
    });
    builder.assistant("a");
    builder.compaction("## Goal\nEarlier", "u1", { details: { readFiles: ["old.ts"], modifiedFiles: [] } });
    builder.compaction("from a hook", "u1", {
      fromHook: true,
      details: { readFiles: ["hook.ts"], modifiedFiles: [] },
      checkpoint: { files: { readFiles: ["checkpoint.ts"], modifiedFiles: [] } },
    });
    builder.user(words(50), "u2");
    builder.toolCall("t1", "edit", { path: "a.ts" });
    builder.toolResult("t1", "done");
    builder.toolCall("t2", "write", { path: "failed.ts" });
    builder.toolResult("t2", "no", { isError: true });
    builder.toolCall("t3", "bash", { command: "make" });
    builder.toolResult("t3", "made", { details: { modifiedFiles: ["made.o"] } });
    builder.assistant(words(50));
    builder.user("next");
    expect(prepare(builder.path)?.fileOps).toEqual({
      readFiles: ["branch-read.ts", "checkpoint.ts", "old.ts"],
      modifiedFiles: ["a.ts", "branch-modified.ts", "made.o"],
    });
  });

  test("B031: name entries reach no summary input but the checkpoint", () => {
    const builder = pathBuilder();
    builder.user(words(60));
    builder.entry("session_info", { name: "Secret name" });
    builder.entry("thinking_level_change", { thinkingLevel: "high" });
    builder.assistant("a");
    builder.user(words(50));
    const preparation = prepare(builder.path);
    expect(JSON.stringify(preparation?.messagesToSummarize)).not.toContain("Secret name");
    expect(preparation?.checkpoint).toEqual({
      files: { readFiles: [], modifiedFiles: [] },
      model: { provider: "test", modelId: "test-model" },
      thinkingLevel: "high",
      sessionName: "Secret name",
    });
  });

  test("hidden entries are never summarised, edited ones as edited", () => {
    const builder = pathBuilder();
    const hidden = builder.user("hidden words");
    const edited = builder.user("original words");
    builder.assistant(words(60));
    builder.entry("context_edit", { targetId: hidden, replacement: null });
    builder.entry("context_edit", { targetId: edited, replacement: { content: "edited words" } });
    builder.user(words(50));
    expect(prepare(builder.path)?.messagesToSummarize.map(text)).toEqual(["edited words", expect.anything()]);
  });

  test("B045: an oversized kept result is shortened in the projection, head and tail shown", () => {
    const builder = pathBuilder();
    builder.user(words(100));
    builder.assistant(words(100));
    builder.user("read it");
    builder.toolCall("t1", "read");
    const id = builder.toolResult("t1", `START ${words(100_000)} END`);
    const preparation = prepare(builder.path, { tokensBefore: 100_500 });
    expect(preparation?.shortenings).toEqual([
      { targetId: id, text: expect.stringMatching(/^START [\s\S]* characters cut [\s\S]* END\n/) },
    ]);
    expect(preparation?.tokensAfterEstimate).toBeLessThan(24_576);
  });

  test("B059: a prompt larger than the window is reported at once", () => {
    const builder = pathBuilder();
    builder.user(words(10));
    builder.assistant(words(10));
    expect(() => prepare(builder.path, { contextWindow: 2048, systemPrompt: words(3000), keep: 5 })).toThrow(
      "System prompt and tools take about 3000 tokens of a window of 2048: it is too small for this prompt.",
    );
  });

  test("B060: a single message larger than the window is named as the cause", () => {
    const builder = pathBuilder();
    builder.user("hello");
    builder.assistant("hi");
    builder.user(words(40_000));
    expect(() => prepare(builder.path)).toThrow(
      /must stay verbatim takes about 40000 tokens.* window of 32768/,
    );
  });

  test("pins of entries and checkpoints are collected; a removed one is gone", () => {
    const builder = pathBuilder();
    const pin = (id: string, more = {}) =>
      builder.entry("custom", {
        customType: "coppice.pin",
        data: { id, text: `rule ${id}`, source: "user", ...more },
      });
    builder.user("u", "u1");
    pin("p1");
    pin("p2");
    builder.compaction("## Goal\nEarlier", "u1", {
      checkpoint: { pins: [{ id: "p0", text: "rule p0", source: "user" }] },
    });
    pin("p2", { removed: true });
    builder.assistant(words(60));
    builder.user(words(50));
    expect(prepare(builder.path)?.pins.map(({ text: rule }) => rule)).toEqual(["rule p1", "rule p0"]);
  });

  test("fresh input above the trigger but within the window: what is before it is compacted all the same", () => {
    const builder = pathBuilder();
    builder.user(words(2000));
    builder.assistant(words(2000));
    builder.user(words(6800), "fresh");
    const preparation = prepare(builder.path, { contextWindow: 8192, tokensBefore: 10_800 });
    expect(preparation).toMatchObject({ firstKeptEntryId: "fresh", keptTokens: 6800 });
    expect(preparation?.tokensAfterEstimate).toBeLessThan(8192);
  });

  test("many parallel results are all shortened, to notes if need be", () => {
    const builder = pathBuilder();
    builder.user("read them");
    const ids = Array.from({ length: 40 }, (_, index) => `t${index}`);
    builder.assistant(
      ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })),
      { stopReason: "toolUse" },
    );
    for (const id of ids) builder.toolResult(id, words(1000));
    const preparation = prepare(builder.path, { contextWindow: 8192, tokensBefore: 40_200 });
    expect(preparation?.shortenings.length).toBeGreaterThan(30);
    expect(preparation?.tokensAfterEstimate).toBeLessThan(6145);
  });

  test("B045: a result of 1,680,000 characters is shrunk to fit a window of 131,072", () => {
    const builder = pathBuilder();
    builder.user("read it");
    builder.toolCall("t1", "bash");
    builder.toolResult("t1", "x".repeat(1_680_000));
    const preparation = prepare(builder.path, {
      contextWindow: 131_072,
      tokensBefore: 420_000,
      keep: 20_000,
    });
    expect(preparation?.shortenings).toHaveLength(1);
    expect(preparation?.tokensAfterEstimate).toBeLessThan(131_072);
  });

  test("B060: the very first message, larger than the window, is named as the cause", () => {
    const builder = pathBuilder();
    builder.user(words(40_000));
    expect(() => prepare(builder.path)).toThrow(/must stay verbatim takes about 40000 tokens/);
  });
});
