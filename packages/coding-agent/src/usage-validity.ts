import { usageValidFrom } from "@coppice/compaction";
import type { AnyEntry, ContextEntry, Session } from "@coppice/session";

/** A branch that grew by more than this is read anew rather than followed back. */
const MOST_STEPS = 1000;

/**
 * From which message on reported usage speaks of the present context, known without reading more than the context.
 *
 * While a branch only grows the answer stays; a compaction, an edit or a move makes it be worked out again.
 */
export class UsageValidity {
  readonly #session: Session;
  #known: { readonly leafId: string | null; readonly from: number } | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Index among the messages of `entries`, the projection at the position. */
  async from(entries: readonly ContextEntry[]): Promise<number> {
    const leafId = this.#session.getLeafId();
    const known = this.#known;
    const from =
      known !== undefined && (await this.#onlyGrew(known.leafId, leafId))
        ? known.from
        : usageValidFrom(await this.#pathOf(entries, leafId), entries);
    this.#known = { leafId, from };
    return from;
  }

  async #onlyGrew(before: string | null, leafId: string | null): Promise<boolean> {
    let id = leafId;
    for (let step = 0; step < MOST_STEPS && id !== before; step++) {
      const entry = id === null ? undefined : await this.#session.getEntry(id);
      if (entry === undefined || entry.type === "compaction" || entry.type === "context_edit") return false;
      id = entry.parentId;
    }
    return id === before;
  }

  /** The branch as far back as the context reaches, oldest first. */
  async #pathOf(entries: readonly ContextEntry[], leafId: string | null): Promise<readonly AnyEntry[]> {
    const wanted = new Set(entries.map(({ entry }) => entry.id));
    const path: AnyEntry[] = [];
    for (let id = leafId; id !== null && wanted.size > 0; ) {
      const entry = await this.#session.getEntry(id);
      if (entry === undefined) break;
      wanted.delete(entry.id);
      path.push(entry);
      id = entry.parentId;
    }
    return path.reverse();
  }
}
