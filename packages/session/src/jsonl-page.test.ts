import { appendFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeEntry, encodeHeader, newHeader } from "./codec.ts";
import { JsonlStorage } from "./jsonl-storage.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import type { StoredPage } from "./storage.ts";
import { userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

const PAGE_BYTES = 64 * 1024;
const timestamp = "2026-01-01T00:00:00.000Z";
const header = encodeHeader(newHeader({ id: "s", timestamp, cwd: "/w" }));

/** One entry line of exactly so many bytes, or of the fewest that an entry takes. */
function lineOf(index: number, bytes: number): string {
  const line = (text: string) => {
    const base = { id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}`, timestamp };
    return encodeEntry({ type: "message", ...base, message: userMessage(text) });
  };
  return line("x".repeat(Math.max(0, bytes - line("").length)));
}

/** All pages from the end, newest first, as the places of their lines. */
async function pagesBackwards(path: string): Promise<readonly StoredPage[]> {
  const storage = await JsonlStorage.open(path, { files: nodeSessionFiles, fsync: "off" });
  try {
    const pages: StoredPage[] = [];
    let before: number | undefined;
    do {
      const page = await storage.readPage({ isBrief: true, ...(before === undefined ? {} : { before }) });
      pages.push(page);
      before = page.start;
    } while (before > 0);
    return pages;
  } finally {
    await storage.close();
  }
}

const placesOf = (pages: readonly StoredPage[]): readonly (readonly [string, number])[] =>
  pages
    .toReversed()
    .flatMap(({ items }) =>
      items.map(
        (item) =>
          [item.kind === "entry" ? item.entry.id : item.kind, item.kind === "entry" ? item.at : -1] as const,
      ),
    );

test("pages read backwards hold every line once, each from its beginning, however long lines are", async () => {
  const near = fc.integer({ min: -3, max: 3 }).map((more) => PAGE_BYTES + more);
  const lengths = fc.oneof(
    fc.integer({ min: 0, max: 4000 }),
    near,
    fc.integer({ min: 0, max: 5 * PAGE_BYTES }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(lengths, { minLength: 1, maxLength: 40 }), async (wanted) => {
      await using folder = await SessionFolder.create();
      const lines = wanted.map((bytes, index) => lineOf(index, bytes));
      const path = await folder.write("s.jsonl", header + lines.join(""));
      let at = header.length;
      const expected = lines.map((line, index) => {
        const place = [`e${index}`, at] as const;
        at += line.length;
        return place;
      });
      const pages = await pagesBackwards(path);
      expect(placesOf(pages)).toEqual(expected);
      expect(pages.map(({ end }) => end)).toEqual([at, ...pages.slice(0, -1).map(({ start }) => start)]);

      await appendFile(path, lineOf(lines.length, 200));
      const grown = (await pagesBackwards(path)).map(({ start }) => start);
      const startsBefore = pages.map(({ start }) => start);
      expect(grown.slice(-startsBefore.length)).toEqual(startsBefore);
    }),
    { numRuns: 30 },
  );
});

test("a page ends where the file did when it was asked for, and a last line without its end is in it", async () => {
  await using folder = await SessionFolder.create();
  const lines = Array.from({ length: 90 }, (_, index) => lineOf(index, 1500));
  const path = await folder.write("s.jsonl", (header + lines.join("")).slice(0, -1));
  expect(placesOf(await pagesBackwards(path)).map(([id]) => id)).toEqual(
    lines.map((_, index) => `e${index}`),
  );
});
