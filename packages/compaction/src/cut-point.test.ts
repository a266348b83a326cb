import { buildContextEntries } from "@coppice/session";
import { describe, expect, test } from "vitest";
import { findCutPoint } from "./cut-point.ts";
import { pathBuilder } from "./testing/index.ts";

const words = (tokens: number) => "abcd".repeat(tokens);

function cut(builder: ReturnType<typeof pathBuilder>, keepRecentTokens: number, minTurnsToKeep = 0) {
  return findCutPoint({
    entries: buildContextEntries(builder.path).entries,
    keepRecentTokens,
    minTurnsToKeep,
  });
}

describe("findCutPoint", () => {
  test("keeps what fits and says how large both sides are", () => {
    const builder = pathBuilder();
    builder.user(words(10));
    builder.assistant(words(20));
    builder.user(words(30));
    builder.assistant(words(40));
    expect(cut(builder, 75)).toEqual({
      firstKeptEntryId: "e3",
      cutIndex: 2,
      tokensBefore: 100,
      tokensAfter: 70,
      isSplitTurn: false,
    });
    expect(cut(builder, 69)).toMatchObject({ firstKeptEntryId: "e4", isSplitTurn: true });
  });

  test.each([
    { name: "nothing", build: () => pathBuilder() },
    {
      name: "one message",
      build: () => {
        const builder = pathBuilder();
        builder.user(words(100));
        return builder;
      },
    },
  ])("CO-08: $name has no cut", ({ build }) => {
    expect(cut(build(), 10)).toBeUndefined();
  });

  test("B035: a budget that ends on a result keeps its call as well, or puts both away", () => {
    const builder = pathBuilder();
    builder.user(words(10));
    builder.toolCall("t1", "read");
    builder.toolResult("t1", words(50));
    builder.assistant(words(20));
    expect(cut(builder, 70)).toMatchObject({ firstKeptEntryId: "e4", isSplitTurn: true });
  });

  test("a call whose result has not come yet stays in the kept part", () => {
    const builder = pathBuilder();
    builder.user(words(10));
    builder.assistant(words(10));
    builder.user(words(10));
    builder.toolCall("t1", "bash", { command: words(100) });
    expect(cut(builder, 1)).toMatchObject({ firstKeptEntryId: "e4" });
  });

  test("a message between a call and its late result does not make a cut there", () => {
    const builder = pathBuilder();
    builder.user(words(10));
    builder.toolCall("t1", "read");
    builder.user(words(10));
    builder.toolResult("t1", words(10));
    builder.assistant(words(10));
    expect(cut(builder, 22)).toMatchObject({ firstKeptEntryId: "e5" });
  });

  test("CO-05: input that only failed attempts followed is fresh and stays", () => {
    const builder = pathBuilder();
    builder.user(words(10));
    builder.assistant(words(10));
    builder.user(words(100));
    builder.assistant("", { stopReason: "error" });
    builder.user(words(100));
    expect(cut(builder, 5)).toMatchObject({ firstKeptEntryId: "e3" });
  });

  test("whole turns stay where they fit twice the budget, and not beyond", () => {
    const builder = pathBuilder();
    builder.user(words(10));
    builder.assistant(words(10));
    builder.user(words(10));
    builder.assistant(words(30));
    builder.assistant(words(30));
    expect(cut(builder, 35, 1)).toMatchObject({ firstKeptEntryId: "e3", isSplitTurn: false });
    expect(cut(builder, 34, 1)).toMatchObject({ firstKeptEntryId: "e5", isSplitTurn: true });
  });

  test("B065: four long Chinese messages do not all fit a small budget", () => {
    const builder = pathBuilder();
    for (let index = 0; index < 4; index++) builder.user("字".repeat(160), `u${index}`);
    builder.assistant("ok");
    builder.user("next");
    expect(cut(builder, 115)).toMatchObject({ firstKeptEntryId: "u3" });
  });

  test("B032: entries that an earlier compaction kept can be put away by the next", () => {
    const builder = pathBuilder();
    for (const id of ["u1", "u2", "u3"]) {
      builder.user(words(10), id);
      builder.assistant(words(10));
    }
    builder.compaction("earlier", "u2");
    builder.user(words(10), "u4");
    builder.assistant(words(10));
    expect(cut(builder, 20)).toMatchObject({ firstKeptEntryId: "u4", cutIndex: 5 });
  });
});
