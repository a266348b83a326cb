import { textOf } from "@coppice/ai";
import { detectPins, estimateTextTokens, PIN_CUSTOM_TYPE, type Pin } from "@coppice/compaction";
import type { EntryDraft, Session } from "@coppice/session";
import type { EventBus } from "../event-bus.ts";
import type { ModelChoice } from "../model-choice.ts";
import type { PendingWrites } from "../pending-writes.ts";
import type { Pins } from "../pins.ts";
import { quoteOf } from "../tools/recall/entry-quote.ts";
import { partFrom } from "../tools/recall/quote-budget.ts";
import { recalledPinId, wantedIdsOf } from "./recall-count.ts";
import { RecalledEntries } from "./recalled-entries.ts";

export interface AutomaticPinsOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly pins: Pins;
  readonly choice: ModelChoice;
  readonly events: EventBus;
}

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
  readonly #recalled: RecalledEntries;

  constructor(options: AutomaticPinsOptions) {
    this.#options = options;
    this.#recalled = new RecalledEntries(options.session);
  }

  /** An entry is on disk. */
  async appended(entryId: string, draft: EntryDraft): Promise<void> {
    if (draft.type !== "message") return;
    const { message } = draft;
    if (message.role === "user") await this.#detect(entryId, textOf(message.content));
    if (message.role === "toolResult") await this.#pinRecalled(entryId);
  }

  async #detect(entryId: string, text: string): Promise<void> {
    const { pins, choice } = this.#options;
    const { contextWindow } = choice;
    // Most prompts state no rule: then the pins in force need not be read.
    if (detectPins({ entryId, text, known: [], contextWindow }).length === 0) return;
    await this.#add(detectPins({ entryId, text, known: await pins.list(), contextWindow }));
  }

  /** What a result of `recall` was asked for is pinned where that was recalled before it. */
  async #pinRecalled(resultId: string): Promise<void> {
    const result = await this.#options.session.getEntry(resultId);
    const wantedIds = result === undefined ? [] : wantedIdsOf(result);
    if (result === undefined || wantedIds.length === 0) return;
    const before = await this.#recalled.upTo(result.parentId);
    const pinned: Pin[] = [];
    for (const id of wantedIds) if (before.wasRecalled(id)) pinned.push(...(await this.#pinOf(id, pinned)));
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
    const pin: Pin = { id: recalledPinId(entryId), text, source: "detected" };
    const known = [...(await pins.list()), ...made];
    const used = known
      .filter(({ source }) => source === "detected")
      .reduce((sum, one) => sum + estimateTextTokens(one.text), 0);
    const hasRoom = used + estimateTextTokens(text) <= choice.contextWindow * AUTOMATIC_SHARE;
    return hasRoom && !known.some(({ id }) => id === pin.id) ? [pin] : [];
  }

  async #add(pins: readonly Pin[]): Promise<void> {
    if (pins.length === 0) return;
    const { writes, events } = this.#options;
    writes.add(...pins.map((pin) => ({ type: "custom" as const, customType: PIN_CUSTOM_TYPE, data: pin })));
    await events.emit({ type: "pins_detected", pins });
  }
}
