import type { AnyEntry, Session } from "@coppice/session";
import { pathSinceCheckpoint } from "./path-since-checkpoint.ts";
import { RecallCount } from "./recall-count.ts";

/** What was recalled on the way to a place of the session, whichever process did it. */
export class RecalledEntries {
  readonly #session: Session;
  /** The place that was asked for last, so that a long path is read once. */
  #known: { readonly entryId: string | null; readonly count: RecallCount } | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The count up to an entry, that included; valid until the next call. */
  async upTo(entryId: string | null): Promise<RecallCount> {
    const since = await this.#sinceKnown(entryId);
    const count = this.#known?.count;
    if (since === undefined || count === undefined) {
      const path = await pathSinceCheckpoint(this.#session, entryId);
      this.#known = { entryId, count: RecallCount.of(path) };
      return this.#known.count;
    }
    for (const entry of since) count.add(entry);
    this.#known = { entryId, count };
    return count;
  }

  /** What the path has gained, oldest first; undefined where it went another way, or where counting from its end is short. */
  async #sinceKnown(entryId: string | null): Promise<readonly AnyEntry[] | undefined> {
    if (this.#known === undefined) return undefined;
    const since: AnyEntry[] = [];
    for (let id = entryId; id !== this.#known.entryId; ) {
      const entry = id === null ? undefined : await this.#session.getEntry(id);
      if (entry === undefined || entry.type === "compaction") return undefined;
      since.push(entry);
      id = entry.parentId;
    }
    return since.reverse();
  }
}
