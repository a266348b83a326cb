import { expect, test } from "vitest";
import type { AnyEntry } from "./entry.ts";
import type { StoredPage } from "./storage.ts";
import { userMessage } from "./testing/index.ts";
import { loadTail } from "./tree-loader.ts";

const timestamp = "2026-01-01T00:00:00.000Z";
const PAGES = 60;
const PAGE_ENTRIES = 10;
const idOf = (index: number) => `e${index}`;

/** Pages of a linear session whose compaction is entry `at` and keeps from entry `kept` on. */
function pagesWithCompaction(at: number, kept: number): readonly StoredPage[] {
  const entryOf = (index: number): AnyEntry => {
    const base = { id: idOf(index), parentId: index === 0 ? null : idOf(index - 1), timestamp };
    if (index !== at) return { type: "message", ...base, message: userMessage(`${index}`) };
    const fields = { summary: "S", firstKeptEntryId: idOf(kept), tokensBefore: 1, checkpoint: {} };
    return { type: "compaction", ...base, ...fields };
  };
  return Array.from({ length: PAGES }, (_, page) => ({
    items: Array.from({ length: PAGE_ENTRIES }, (_, offset) => {
      const index = page * PAGE_ENTRIES + offset;
      return { kind: "entry", entry: entryOf(index), at: index };
    }),
    start: page,
    end: page + 1,
    diagnostics: [],
  }));
}

test.each([
  { name: "in the page of the compaction", at: 405, kept: 402, first: 40 },
  { name: "in the page before it", at: 405, kept: 395, first: 39 },
  { name: "some pages before it", at: 405, kept: 352, first: 35 },
])("the tail is read as far as what a compaction kept: $name", async ({ at, kept, first }) => {
  const pages = pagesWithCompaction(at, kept);
  const read: number[] = [];
  const loaded = await loadTail({
    readPage: async ({ before = PAGES } = {}) => {
      read.push(before - 1);
      return pages[before - 1] as StoredPage;
    },
  });
  expect([read.at(-1), loaded?.tree.isPartial]).toEqual([first, true]);
});
