import type { AnyEntry } from "./entry.ts";
import { entryText } from "./entry-text.ts";
import type { SessionStorage, StoredPage } from "./storage.ts";
import { linkOf } from "./tree.ts";

export interface SearchOptions {
  /** Stop after this many matches; default 100. */
  readonly limit?: number;
  /**
   * Texts that the entry must hold as well. In a large file entries may be left out in which they stand more than 4 KiB
   * apart; the more texts, the less is read.
   */
  readonly near?: readonly string[];
  /** Entries for which it returns false are passed over and do not count; asked only of those that hold the texts. */
  readonly accepts?: (entry: AnyEntry) => boolean;
}

/** An entry whose text holds what was looked for. */
export interface SearchMatch {
  readonly entryId: string;
  readonly type: string;
  readonly timestamp: string;
  /** One line around the first place, at most some 160 characters. The text is as stored: clean it before a terminal. */
  readonly snippet: string;
  /** True on the branch that leads to the position; also for what a compaction has taken out of the context. */
  readonly isOnBranch: boolean;
}

const DEFAULT_LIMIT = 100;
const CHARS_AROUND = 60;
/** Pages after which the tree of everything is the cheaper way to know the branch. */
const MAX_COLD_PAGES = 8;

/** What a search asks of the tree, which may become whole while it runs. */
export interface SearchedTree {
  readonly position: string | null;
  readonly isWhole: boolean;
  /** Undefined while the tree is not whole. */
  readonly isOnPath: (id: string) => boolean | undefined;
  readonly makeWhole: () => Promise<void>;
}

/**
 * Entries of all branches, compacted ones included, that hold `query` (upper and lower case alike); newest first.
 *
 * Reads page by page from the end, so that memory is bounded by a page and the longest line. With a whole tree, pages
 * that cannot hold the query are passed over; without one, each is read, to follow the branch. Of a store that can pass
 * over pages, the tree is made whole when the end did not hold enough.
 */
export async function* searchStorage(
  storage: SessionStorage,
  tree: SearchedTree,
  query: string,
  options: SearchOptions = {},
): AsyncGenerator<SearchMatch> {
  const wanted = query.toLowerCase();
  if (wanted === "") return;
  let left = options.limit ?? DEFAULT_LIMIT;
  const near = (options.near ?? []).map((text) => text.toLowerCase());
  let branchId = tree.position;
  for await (const entry of entriesBackwards(storage, tree, [query, ...near])) {
    const isNext = entry.id === branchId;
    if (isNext) branchId = linkOf(entry);
    const text = entryText(entry);
    const lowerCase = text.toLowerCase();
    const at = lowerCase.indexOf(wanted);
    if (at === -1 || !near.every((other) => lowerCase.includes(other))) continue;
    if (options.accepts?.(entry) === false) continue;
    if (left-- <= 0) return;
    const { id, type, timestamp } = entry;
    const isOnBranch = tree.isOnPath(id) ?? isNext;
    yield { entryId: id, type, timestamp, snippet: snippetAt(text, at, wanted.length), isOnBranch };
  }
}

async function* entriesBackwards(
  storage: SessionStorage,
  tree: SearchedTree,
  texts: readonly string[],
): AsyncGenerator<AnyEntry> {
  let page: StoredPage | undefined;
  for (let pages = 0; page === undefined || page.start > 0; pages++) {
    if (pages === MAX_COLD_PAGES && storage.readPageWith !== undefined) await tree.makeWhole();
    page =
      tree.isWhole && storage.readPageWith !== undefined
        ? await storage.readPageWith(texts, page?.start)
        : await storage.readPage(page === undefined ? {} : { before: page.start });
    for (const item of page.items.toReversed()) if (item.kind === "entry") yield item.entry;
  }
}

function snippetAt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - CHARS_AROUND);
  const to = Math.min(text.length, at + length + CHARS_AROUND);
  const line = text.slice(from, to).replaceAll(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${line}${to < text.length ? "…" : ""}`;
}
