import type { AnyEntry } from "./entry.ts";
import { entryText } from "./entry-text.ts";
import type { SessionStorage, StoredPage } from "./storage.ts";
import { linkOf } from "./tree.ts";

export interface SearchOptions {
  /** Stop after this many matches; default 100. */
  readonly limit?: number;
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

/**
 * Entries of all branches, compacted ones included, that hold `query` (upper and lower case alike); newest first.
 *
 * Reads page by page from the end, so that memory is bounded by a page and the longest line. With a whole tree, pages
 * that cannot hold the query are passed over; without one, each is read, to follow the branch.
 */
export async function* searchStorage(
  storage: SessionStorage,
  tree: { readonly position: string | null; readonly isOnPath?: (id: string) => boolean },
  query: string,
  options: SearchOptions = {},
): AsyncGenerator<SearchMatch> {
  const wanted = query.toLowerCase();
  if (wanted === "") return;
  let left = options.limit ?? DEFAULT_LIMIT;
  let branchId = tree.position;
  for await (const entry of entriesBackwards(storage, tree.isOnPath === undefined ? undefined : query)) {
    const isNext = entry.id === branchId;
    if (isNext) branchId = linkOf(entry);
    const text = entryText(entry);
    const at = text.toLowerCase().indexOf(wanted);
    if (at === -1) continue;
    if (left-- <= 0) return;
    const { id, type, timestamp } = entry;
    const isOnBranch = tree.isOnPath?.(id) ?? isNext;
    yield { entryId: id, type, timestamp, snippet: snippetAt(text, at, wanted.length), isOnBranch };
  }
}

async function* entriesBackwards(
  storage: SessionStorage,
  text: string | undefined,
): AsyncGenerator<AnyEntry> {
  let page: StoredPage | undefined;
  do {
    page =
      text === undefined || storage.readPageWith === undefined
        ? await storage.readPage(page === undefined ? {} : { before: page.start })
        : await storage.readPageWith(text, page?.start);
    for (const item of page.items.toReversed()) if (item.kind === "entry") yield item.entry;
  } while (page.start > 0);
}

function snippetAt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - CHARS_AROUND);
  const to = Math.min(text.length, at + length + CHARS_AROUND);
  const line = text.slice(from, to).replaceAll(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${line}${to < text.length ? "…" : ""}`;
}
