import type { UnreadableLine } from "./codec.ts";
import type { FilePlace, SessionDiagnostic } from "./diagnostic.ts";
import type { AnyEntry, SessionHeader } from "./entry.ts";

/** One thing that a store holds, in order of writing: an entry, or bytes that are none. */
export type StoredItem =
  /** `readPage({ after: at })` begins with it. */
  | { readonly kind: "entry"; readonly entry: AnyEntry; readonly at: number }
  | { readonly kind: "damage"; readonly damage: UnreadableLine; readonly place: FilePlace };

/** A stretch of a store. */
export interface StoredPage {
  /** Oldest first. */
  readonly items: readonly StoredItem[];
  /** Where the page begins; 0 = nothing is older. Pass it as `before` to read what precedes. */
  readonly start: number;
  /** Where the page ends. Pass it as `after` to read what follows. */
  readonly end: number;
  /** The number of the line at `end`, for stores of lines that know it. */
  readonly endLine?: number;
  readonly diagnostics: readonly SessionDiagnostic[];
}

/** Which page: the one that ends at `before` (default: the end), or the one that begins at `after`. */
export interface PageRange {
  readonly before?: number;
  /** 0 = the first. At the end of the store the page is empty. */
  readonly after?: number;
  /** `endLine` of the page before, with `after`. */
  readonly line?: number;
  /** True when only the nearest entries are wanted, so that a small page is best. */
  readonly isBrief?: boolean;
  /**
   * True when only what makes the tree is wanted, with `after`: entries other than `leaf`, `label` and `session_info` may
   * then come without what they hold beside type, id, parent and timestamp.
   */
  readonly isOutline?: boolean;
}

/**
 * One session's entries, append-only. Positions are opaque ascending numbers (bytes, rows), 0 = before the first.
 *
 * Implement it over any store that can append several records at once or none of them, and read from the end.
 */
export interface SessionStorage {
  readonly header: SessionHeader;
  /** File path, for stores that have one. */
  readonly path: string | undefined;
  /** A page of a size that is good for the store; never a part of an entry. */
  readPage(range?: PageRange): Promise<StoredPage>;
  /**
   * Optional, for stores that can pass over what does not hold a text: the newest page that ends at `before` or earlier
   * and may hold it, in upper or lower case. `start` 0 = nothing older may. Of several texts it may hold all of them, and
   * pages may be left out where they stand more than 4 KiB apart.
   */
  readPageWith?(texts: readonly string[], before?: number): Promise<StoredPage>;
  /** Optional, beside `readPageWith`: finds out beforehand what that passes over. */
  learnTexts?(): Promise<void>;
  /**
   * Writes all entries or none, after `expectedEnd`, and resolves with the new end. Rejects with `changed` when the
   * store no longer ends there. The first append also stores the header.
   */
  append(entries: readonly AnyEntry[], expectedEnd: number): Promise<number>;
  /** Makes what was appended survive a power cut. */
  sync(): Promise<void>;
  /** Releases what the store holds. Idempotent. */
  close(): Promise<void>;
}
