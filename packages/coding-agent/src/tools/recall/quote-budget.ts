import { estimateTextTokens } from "@coppice/compaction";
import type { AnyEntry } from "@coppice/session";
import { headOf } from "../../text/truncate.ts";
import type { EntryQuote } from "./entry-quote.ts";

/** A piece of a quote, in characters of the whole. */
export interface QuotedPart {
  readonly start: number;
  readonly end: number;
}

/** Longer runs without a blank, and scripts that have none, are cut anywhere. */
const MOST_WORD_CHARS = 400;
/** What head and notice of one quote take at most, in tokens. */
const FRAME_TOKENS = 90;
const MOST_FROM_CHARS = 80;
/** What stands before or behind all quotes takes at most so many tokens. */
const NOTICE_TOKENS = 60;
/** The size of a longer text is estimated from samples: quotes aim below the number that is asked for. */
const AIM_SHARE = 0.95;

/** Collects quotes of entries until a number of tokens is spent. */
export class QuoteBudget {
  readonly #quotes: string[] = [];
  readonly #entryIds: string[] = [];
  #left: number;

  /** `tokens` are for the quotes and what the caller says around them. */
  constructor(tokens: number) {
    this.#left = tokens * AIM_SHARE - NOTICE_TOKENS;
  }

  /** Tokens that the text of another quote may take; 0 = no quote is worth it. */
  get room(): number {
    return Math.max(0, Math.floor(this.#left - FRAME_TOKENS));
  }

  get entryIds(): readonly string[] {
    return this.#entryIds;
  }

  get text(): string {
    return this.#quotes.join("\n\n");
  }

  /** Adds a part of an entry, with the handle for the rest where it is not the whole. */
  add(entry: AnyEntry, quote: EntryQuote, part: QuotedPart, note = ""): void {
    const { length } = quote.text;
    const shown = quote.text.slice(part.start, part.end);
    const more =
      part.end < length
        ? ` The handle ${entry.id}@${part.end} goes on.`
        : part.start > 0
          ? ` The handle ${entry.id} gives it from its beginning.`
          : "";
    const cut = more === "" ? "" : `\n[Characters ${part.start}–${part.end} of ${length}.${more}]`;
    const block = `[${entry.id}] ${headOf(quote.from, MOST_FROM_CHARS).toWellFormed()}, ${entry.timestamp}${note}\n${shown}${cut}`;
    this.#quotes.push(block);
    this.#entryIds.push(entry.id);
    this.#left -= estimateTextTokens(block);
  }
}

/**
 * The longest part from `start` that takes at most `maxTokens` and ends with a whole word where one is near; at least one
 * character, so that reading goes on.
 */
export function partFrom(text: string, start: number, maxTokens: number): QuotedPart {
  let length = Math.min(text.length - start, maxTokens * 5);
  while (length > 1 && estimateTextTokens(text.slice(start, start + length)) > maxTokens) {
    length = Math.max(1, Math.floor(length * 0.85));
  }
  const end = start + length;
  if (end >= text.length) return { start, end };
  const wordStart = startOfWord(text, end);
  if (wordStart > start + length / 2 && wordStart < end) return { start, end: wordStart };
  // No half of a surrogate pair.
  return { start, end: /[\ud800-\udbff]/.test(text[end - 1] ?? "") ? end + 1 : end };
}

/** Where the word begins that a cut would part, as half a key is no form that is known; the cut itself if it parts none. */
function startOfWord(text: string, cut: number): number {
  if (isBlank(text[cut])) return cut;
  for (let at = cut; at > Math.max(0, cut - MOST_WORD_CHARS); at--) if (isBlank(text[at - 1])) return at;
  return cut;
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}
