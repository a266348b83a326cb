import type { AnyEntry, SessionHeader } from "./entry.ts";
import { SessionError } from "./errors.ts";
import type { PageRange, SessionStorage, StoredItem, StoredPage } from "./storage.ts";

const PAGE_ENTRIES = 256;

/** One session's entries in memory. They are copied in and out, so that nobody changes what is stored. */
export class MemoryStorage implements SessionStorage {
  readonly header: SessionHeader;
  readonly path = undefined;
  readonly #entries: AnyEntry[] = [];
  readonly #pageEntries: number;

  constructor(header: SessionHeader, { pageEntries = PAGE_ENTRIES }: { readonly pageEntries?: number } = {}) {
    this.header = header;
    this.#pageEntries = pageEntries;
  }

  /** Entries stored so far. */
  get size(): number {
    return this.#entries.length;
  }

  async readPage({ before, after }: PageRange = {}): Promise<StoredPage> {
    const size = this.#entries.length;
    const start = after ?? Math.max(0, (before ?? size) - this.#pageEntries);
    const end = after === undefined ? (before ?? size) : Math.min(size, after + this.#pageEntries);
    const items = this.#entries
      .slice(start, end)
      .map(
        (entry, index): StoredItem => ({ kind: "entry", entry: structuredClone(entry), at: start + index }),
      );
    return { items, start, end, diagnostics: [] };
  }

  async append(entries: readonly AnyEntry[], expectedEnd: number): Promise<number> {
    if (expectedEnd !== this.#entries.length) {
      throw new SessionError({
        code: "changed",
        message: `Session ${this.header.id} has ${this.#entries.length} entries where ${expectedEnd} were expected.`,
      });
    }
    // A round trip through JSON keeps what a file would keep: no undefined, no functions, no shared references.
    this.#entries.push(...(JSON.parse(JSON.stringify(entries)) as AnyEntry[]));
    return this.#entries.length;
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}
}
