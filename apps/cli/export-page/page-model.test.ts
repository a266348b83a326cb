import { expect, test } from "vitest";
import type { EntryView, ExportData } from "../src/export/export-data.ts";
import { addressedEntry, entryAddress } from "./address.ts";
import { createPageModel } from "./page-model.ts";
import { createSearch } from "./search.ts";
import { layoutTree } from "./tree-layout.ts";

const prompt = (text: string): EntryView => ({ kind: "prompt", parts: [{ type: "text", text }] });

/** A session whose entries hang on the given places. */
function dataOf(
  entries: readonly { readonly parent: number; readonly view: EntryView }[],
  leaves: readonly number[],
): ExportData {
  return {
    session: { id: "s", cwd: "/", createdAt: "" },
    exportedAt: "",
    redactedSecrets: null,
    totals: {
      ...{ userMessages: 0, assistantMessages: 0, toolCalls: 0, compactions: 0 },
      ...{ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: 0 },
    },
    entries: entries.map(({ parent, view }, place) => ({ id: `e${place}`, parent, at: "", view })),
    branches: leaves.map((leaf) => ({ leaf })),
    problems: [],
  };
}

test("a branch is the way from the root to its leaf; from a fork one comes to the current branch", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map(prompt);
  const model = createPageModel(
    dataOf(
      [a, b, c, d].flatMap((view, at) =>
        view === undefined ? [] : [{ parent: [-1, 0, 0, 1][at] ?? -1, view }],
      ),
      [3, 2],
    ),
  );
  expect(model.path(3)).toEqual([0, 1, 3]);
  expect(model.children(0)).toEqual([1, 2]);
  expect(model.leafBelow(0)).toBe(3);
  expect(model.leafBelow(2)).toBe(2);
  expect(model.placeOf("e2")).toBe(2);
});

test("a result stands in the card of its call, on the way that holds both; one without a call stands alone", () => {
  const call: EntryView = {
    kind: "answer",
    model: "m",
    parts: [{ type: "call", callId: "c", tool: "bash", title: "", input: [] }],
  };
  const result = (callId: string): EntryView => ({
    kind: "result",
    callId,
    tool: "bash",
    isError: false,
    parts: [],
    facts: [],
  });
  const model = createPageModel(
    dataOf(
      [
        { parent: -1, view: call },
        { parent: 0, view: result("c") },
        { parent: 1, view: result("c") },
        { parent: 2, view: result("x") },
      ],
      [3],
    ),
  );
  expect(model.results([0, 1, 2, 3])).toEqual({ byCall: new Map([["c", 1]]), inCards: new Set([1]) });
  expect(model.results([1, 2, 3])).toEqual({ byCall: new Map(), inCards: new Set() });
});

test("the search goes through every branch, without regard to case, and counts what it does not list", () => {
  const texts = ["One NEEDLE", "nothing", "a needle here", "the third needle"];
  const model = createPageModel(
    dataOf(
      texts.map((text, at) => ({ parent: at === 0 ? -1 : 0, view: prompt(text) })),
      [3, 2, 1],
    ),
  );
  expect(createSearch(model)(" needle ", 2)).toEqual({
    count: 3,
    hits: [
      { place: 0, before: "One ", match: "NEEDLE", after: "\n" },
      { place: 2, before: "a ", match: "needle", after: " here\n" },
    ],
  });
  expect(createSearch(model)("  ", 2)).toEqual({ count: 0, hits: [] });
});

test("EX-03: 20,000 entries with side ways are a tree, a picture and a search within the time of a glance", () => {
  const entries = Array.from({ length: 20_000 }, (_, at) => ({
    parent: at % 10 === 9 ? at - 2 : at - 1,
    view: prompt(`entry ${at} of many`),
  }));
  const startMs = performance.now();
  const model = createPageModel(dataOf(entries, [19_998]));
  const current = new Set(model.path(19_998));
  const layout = layoutTree({
    count: 20_000,
    children: model.children,
    isShown: () => true,
    isOnWay: (place) => current.has(place),
  });
  expect(layout.rows).toHaveLength(20_000);
  expect(layout.lines.length).toBeLessThan(6000);
  expect(createSearch(model)("ENTRY 19999", 10).count).toBe(1);
  // Quadratic work would take minutes; the bound is far above what a busy machine needs.
  expect(performance.now() - startMs).toBeLessThan(15_000);
});

test.each(["plain", "with blank & sign?#%", "\ud800 alone", "日本"])(
  "the address of %j leads back to it",
  (id) => {
    expect(addressedEntry(entryAddress(id))).toBe(id.toWellFormed());
  },
);

test.each(["", "#other", "#entry=%", "entry=x"])("%j is no address of an entry", (hash) => {
  expect(addressedEntry(hash)).toBeUndefined();
});
