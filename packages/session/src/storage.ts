import type { UnreadableLine } from "./codec.ts";
import type { FilePlace, SessionDiagnostic } from "./diagnostic.ts";
import type { AnyEntry, SessionHeader } from "./entry.ts";

/** One thing that a store holds, in order of writing: an entry, or bytes that are none. */
export type StoredItem =
  | { readonly kind: "entry"; readonly entry: AnyEntry }
  | { readonly kind: "damage"; readonly damage: UnreadableLine; readonly place: FilePlace };

/** A stretch of a store. */
export interface StoredPage {
  /** Oldest first. */
  readonly items: readonly StoredItem[];
  /** Where the page begins; 0 = nothing is older. Pass it as `before` to read what precedes. */
  readonly start: number;
  /** Where the page ends. */
  readonly end: number;
  readonly diagnostics: readonly SessionDiagnostic[];
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
  /** The page that ends at `before` (default: the end). `whole` asks for everything in one page. */
  readPage(before?: number | "whole"): Promise<StoredPage>;
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
