import type { UnreadableLine } from "./codec.ts";

/**
 * Links to entries that were not there yet when they were read, and where they lead instead.
 *
 * Every circle of parents has at least one such link, so cutting the circular ones leaves none.
 */
export class BrokenLinks<Entry extends { readonly id: string }> {
  readonly #late = new Map<string, Entry>();
  /** Where to go instead of a missing id. */
  readonly #bridges = new Map<string, string | null>();
  /** Parents of unreadable entries, as far as they could be made out. */
  readonly #lostParents = new Map<string, string | null>();
  readonly #circular = new Map<string, boolean>();
  /** The position before unreadable bytes that no bridge has crossed yet. */
  #openGap: { readonly position: string | null } | undefined;

  /** Entries whose link led nowhere when they came; it may lead somewhere by now. */
  get entries(): readonly Entry[] {
    return [...this.#late.values()];
  }

  /** True for an entry whose link led nowhere when it came: no other link can be broken. */
  has(id: string): boolean {
    return this.#late.size > 0 && this.#late.has(id);
  }

  /** Takes note of an entry that hangs on something unknown, read at the given position. */
  add(entry: Entry, missingId: string, position: string | null, isKnown: (id: string) => boolean): void {
    this.#late.set(entry.id, entry);
    if (this.#bridges.has(missingId)) return;
    const ancestor = this.#knownAncestor(missingId, isKnown);
    const fallback = this.#openGap === undefined ? position : this.#openGap.position;
    this.#bridges.set(missingId, ancestor === undefined ? fallback : ancestor);
    this.#openGap = undefined;
  }

  /** Takes note that an entry came: it may close a circle. */
  changed(): void {
    if (this.#circular.size > 0) this.#circular.clear();
  }

  addDamage(damage: UnreadableLine, position: string | null): void {
    this.#openGap ??= { position };
    if (damage.id !== undefined && damage.parentId !== undefined && !this.#lostParents.has(damage.id)) {
      this.#lostParents.set(damage.id, damage.parentId);
    }
  }

  /** The nearest readable predecessor that stands for a missing entry. */
  bridge(missingId: string): string | null {
    return this.#bridges.get(missingId) ?? null;
  }

  /** True when following the link of an entry leads back to it. */
  isCircular(entry: Entry, linkOf: (id: string) => string | null): boolean {
    if (!this.#late.has(entry.id)) return false;
    const known = this.#circular.get(entry.id);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    let at = linkOf(entry.id);
    while (at !== null && at !== entry.id && !seen.has(at)) {
      seen.add(at);
      at = linkOf(at);
    }
    const isCircular = at === entry.id;
    this.#circular.set(entry.id, isCircular);
    return isCircular;
  }

  /** The first readable ancestor of an unreadable entry; null = it was a root, undefined = unknown. */
  #knownAncestor(missingId: string, isKnown: (id: string) => boolean): string | null | undefined {
    const seen = new Set<string>();
    let id = this.#lostParents.get(missingId);
    while (id !== null && id !== undefined && !seen.has(id)) {
      if (isKnown(id)) return id;
      seen.add(id);
      id = this.#lostParents.get(id);
    }
    return id === null ? null : undefined;
  }
}
