import { activePins, PIN_CUSTOM_TYPE, type Pin } from "@coppice/compaction";
import { type AnyEntry, isEntry } from "@coppice/session";
import { RECALL_TOOL_NAME } from "../tools/recall/entry-quote.ts";

/** Most ids that a compaction carries on: checkpoints stay small in a session of any length. */
const MOST_CARRIED = 500;
/** Entry ids are shorter in every format that is read; files of others may hold anything. */
const MOST_ID_CHARS = 64;
const PIN_ID_PREFIX = "recalled-";

/**
 * Which entries were recalled along a path, root → position or from a checkpoint on, and not pinned since.
 *
 * Another recall of such an entry pins it. The pin ends the count, and so does what takes it back: then it takes two
 * recalls anew. A checkpoint carries what was counted before it, so that counting from there gives the same.
 */
export class RecallCount {
  /** Those recalled last at the end. */
  readonly #recalled = new Set<string>();
  readonly #pinned = new Set<string>();

  static of(path: readonly AnyEntry[]): RecallCount {
    const count = new RecallCount();
    for (const entry of path) count.add(entry);
    return count;
  }

  /** Takes the next entry of the path. */
  add(entry: AnyEntry): void {
    if (isEntry(entry, "compaction")) {
      for (const id of idsOf(entry.checkpoint?.recalledIds)) this.#recall(id);
      for (const { id } of activePins([entry])) this.#pin(id);
    } else if (isEntry(entry, "custom") && entry.customType === PIN_CUSTOM_TYPE) {
      const { id, removed } = (entry.data ?? {}) as Partial<Pin>;
      if (typeof id !== "string") return;
      this.#pin(id);
      if (removed === true) this.#pinned.delete(id);
    } else {
      for (const id of wantedIdsOf(entry)) this.#recall(id);
    }
  }

  wasRecalled(entryId: string): boolean {
    return this.#recalled.has(entryId);
  }

  /** For a checkpoint: `recalledIds`, or nothing where there are none. */
  get carried(): { readonly recalledIds?: readonly string[] } {
    return this.#recalled.size === 0 ? {} : { recalledIds: [...this.#recalled].slice(-MOST_CARRIED) };
  }

  #recall(entryId: string): void {
    if (this.#pinned.has(recalledPinId(entryId))) return;
    this.#recalled.delete(entryId);
    this.#recalled.add(entryId);
  }

  #pin(pinId: string): void {
    this.#pinned.add(pinId);
    if (pinId.startsWith(PIN_ID_PREFIX)) this.#recalled.delete(pinId.slice(PIN_ID_PREFIX.length));
  }
}

/** Id of the pin that quotes a recalled entry. */
export function recalledPinId(entryId: string): string {
  return `${PIN_ID_PREFIX}${entryId}`;
}

/** Entries that a result of `recall` was asked for, each once, not those of a whole span; none of any other entry. */
export function wantedIdsOf(entry: AnyEntry): readonly string[] {
  if (!isEntry(entry, "message")) return [];
  const { message } = entry;
  if (message?.role !== "toolResult" || message.toolName !== RECALL_TOOL_NAME || message.isError) return [];
  const { details } = message;
  return idsOf(
    typeof details === "object" && details !== null && "wantedIds" in details && details.wantedIds,
  );
}

function idsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value)].filter(
    (id): id is string => typeof id === "string" && id !== "" && id.length <= MOST_ID_CHARS,
  );
}
