import type { AnyEntry } from "./entry.ts";
import type { PageRange, SessionStorage, StoredPage } from "./storage.ts";

/** The pages of a storage from a position on (default: the first), oldest first, as far as it reaches now. */
export async function* pagesOf(
  storage: SessionStorage,
  from = 0,
  range: Pick<PageRange, "isBrief" | "isOutline"> = {},
): AsyncGenerator<StoredPage> {
  let line: number | undefined;
  for (let after = from; ; ) {
    const page = await storage.readPage({ ...range, after, ...(line === undefined ? {} : { line }) });
    yield page;
    if (page.end <= after) return;
    after = page.end;
    line = page.endLine;
  }
}

/** What is looked for, with a position at or before it. */
export interface EntryPlace {
  readonly id: string;
  readonly at: number;
}

/** Reads entries from their places, in the given order; neighbours share a page. Entries that are gone are left out. */
export async function readEntries(
  storage: SessionStorage,
  places: readonly EntryPlace[],
): Promise<readonly AnyEntry[]> {
  const found = new Map<string, AnyEntry>();
  const missing = new Set(places.map(({ id }) => id));
  for (const { id, at } of places.toSorted((a, b) => a.at - b.at)) {
    if (!missing.has(id)) continue;
    for await (const { items } of pagesOf(storage, at, { isBrief: true })) {
      for (const item of items) {
        if (item.kind === "entry" && missing.delete(item.entry.id)) found.set(item.entry.id, item.entry);
      }
      if (!missing.has(id)) break;
    }
  }
  return places.flatMap(({ id }) => found.get(id) ?? []);
}
