import { textOf } from "@coppice/ai";
import { detectPins, estimateTextTokens, PIN_CUSTOM_TYPE, type Pin } from "@coppice/compaction";
import { type EntryDraft, isEntry, type Session } from "@coppice/session";
import type { EventBus } from "../event-bus.ts";
import type { ModelChoice } from "../model-choice.ts";
import type { PendingWrites } from "../pending-writes.ts";
import type { Pins } from "../pins.ts";
import { quoteOf, RECALL_TOOL_NAME } from "../tools/recall/entry-quote.ts";
import { partFrom } from "../tools/recall/quote-budget.ts";

export interface AutomaticPinsOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly pins: Pins;
  readonly choice: ModelChoice;
  readonly events: EventBus;
}

/** Recalls of one entry that make it worth keeping. */
const RECALLS_TO_PIN = 2;
/** Most that a recalled entry takes of every later summary. */
const RECALLED_TOKENS = 300;
/** Share of the window that pins may take which no person made, those that were detected included. */
const AUTOMATIC_SHARE = 0.01;

/**
 * Pins that make themselves: rules that the user states, and entries that the model had to page in twice.
 *
 * Each is written behind the entry that caused it, in the same flush, and told by `pins_detected`.
 */
export class AutomaticPins {
  readonly #options: AutomaticPinsOptions;
  /** Entry id → recalls, those of a session that is resumed counted from what its context still shows. */
  #recalls: Map<string, number> | undefined;

  constructor(options: AutomaticPinsOptions) {
    this.#options = options;
  }

  /** An entry is on disk. */
  async appended(entryId: string, draft: EntryDraft): Promise<void> {
    if (draft.type !== "message") return;
    const { message } = draft;
    if (message.role === "user") await this.#detect(entryId, textOf(message.content));
    if (message.role === "toolResult" && message.toolName === RECALL_TOOL_NAME && !message.isError) {
      await this.#recalled(entryId, recalledIds(message.details));
    }
  }

  async #detect(entryId: string, text: string): Promise<void> {
    const { pins, choice } = this.#options;
    const { contextWindow } = choice;
    // Most prompts state no rule: then the pins in force need not be read.
    if (detectPins({ entryId, text, known: [], contextWindow }).length === 0) return;
    await this.#add(detectPins({ entryId, text, known: await pins.list(), contextWindow }));
  }

  async #recalled(resultId: string, entryIds: readonly string[]): Promise<void> {
    const recalls = this.#recalls ?? (await this.#recallsInContext(resultId));
    this.#recalls = recalls;
    const pinned: Pin[] = [];
    for (const id of entryIds) {
      recalls.set(id, (recalls.get(id) ?? 0) + 1);
      if (recalls.get(id) === RECALLS_TO_PIN) pinned.push(...(await this.#pinOf(id, pinned)));
    }
    await this.#add(pinned);
  }

  /** The pin of a recalled entry; none where there is no room for it or it is pinned already. */
  async #pinOf(entryId: string, made: readonly Pin[]): Promise<readonly Pin[]> {
    const { session, pins, choice } = this.#options;
    const entry = await session.getEntry(entryId);
    const quote = entry && quoteOf(entry);
    // A summary carries itself on.
    if (quote === undefined || entry?.type === "compaction") return [];
    const { end } = partFrom(quote.text, 0, RECALLED_TOKENS);
    const cut = end < quote.text.length ? " …" : "";
    // A quotation, so that words of files and commands do not read as rules of the user.
    const text = `Recalled twice, quoted from entry ${entryId} (${quote.from}): "${quote.text.slice(0, end).trim()}${cut}"`;
    const pin: Pin = { id: `recalled-${entryId}`, text, source: "detected" };
    const known = [...(await pins.list()), ...made];
    const used = known
      .filter(({ source }) => source === "detected")
      .reduce((sum, one) => sum + estimateTextTokens(one.text), 0);
    const hasRoom = used + estimateTextTokens(text) <= choice.contextWindow * AUTOMATIC_SHARE;
    return hasRoom && !known.some(({ id }) => id === pin.id) ? [pin] : [];
  }

  async #recallsInContext(exceptId: string): Promise<Map<string, number>> {
    const recalls = new Map<string, number>();
    for (const { entry } of (await this.#options.session.buildContext()).entries) {
      if (entry.id === exceptId || !isEntry(entry, "message")) continue;
      const { message } = entry;
      if (message.role !== "toolResult" || message.toolName !== RECALL_TOOL_NAME || message.isError) continue;
      for (const id of recalledIds(message.details)) recalls.set(id, (recalls.get(id) ?? 0) + 1);
    }
    return recalls;
  }

  async #add(pins: readonly Pin[]): Promise<void> {
    if (pins.length === 0) return;
    const { writes, events } = this.#options;
    writes.add(...pins.map((pin) => ({ type: "custom" as const, customType: PIN_CUSTOM_TYPE, data: pin })));
    await events.emit({ type: "pins_detected", pins });
  }
}

/** Entries that a result of `recall` was asked for, not those of a whole span. Files of others may hold anything there. */
function recalledIds(details: unknown): readonly string[] {
  const { wantedIds } = (typeof details === "object" && details !== null ? details : {}) as {
    readonly wantedIds?: unknown;
  };
  if (!Array.isArray(wantedIds)) return [];
  return wantedIds.filter((id): id is string => typeof id === "string");
}
