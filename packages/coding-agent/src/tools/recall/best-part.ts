import { partFrom, type QuotedPart } from "./quote-budget.ts";

/** Places of one word that are looked at. */
const MOST_PLACES = 200;
/** Share of the part that stands before the first word found. */
const LEAD_SHARE = 0.3;
/** Characters in which words count as standing together, per token of the part. */
const CHARS_PER_TOKEN = 3;

/** The part of a text of at most `maxTokens` where most of the words (lower case) stand together. */
export function bestPart(text: string, words: readonly string[], maxTokens: number): QuotedPart {
  const whole = partFrom(text, 0, maxTokens);
  if (whole.end === text.length) return whole;
  const places = placesOf(text.toLowerCase(), words);
  const reach = maxTokens * CHARS_PER_TOKEN * (1 - LEAD_SHARE);
  let best = { at: 0, count: 0 };
  let end = 0;
  const inside = new Map<string, number>();
  // A window that slides over the places; each enters once and leaves once.
  for (const { at, word } of places) {
    for (; end < places.length; end++) {
      const next = places[end];
      if (next === undefined || next.at > at + reach) break;
      inside.set(next.word, (inside.get(next.word) ?? 0) + 1);
    }
    if (inside.size > best.count) best = { at, count: inside.size };
    const left = (inside.get(word) ?? 1) - 1;
    if (left === 0) inside.delete(word);
    else inside.set(word, left);
  }
  const lead = Math.floor(maxTokens * CHARS_PER_TOKEN * LEAD_SHARE);
  return partFrom(text, wholeWord(text, Math.max(0, best.at - lead), best.at), maxTokens);
}

function placesOf(text: string, words: readonly string[]): readonly { at: number; word: string }[] {
  const places: { at: number; word: string }[] = [];
  for (const word of words) {
    let at = text.indexOf(word);
    for (let count = 0; at !== -1 && count < MOST_PLACES; count++) {
      places.push({ at, word });
      at = text.indexOf(word, at + word.length);
    }
  }
  return places.sort((a, b) => a.at - b.at);
}

/** The first word that begins between two places, else the first whole character. */
function wholeWord(text: string, from: number, to: number): number {
  const blank = from === 0 ? -1 : text.slice(from, to).search(/\s/);
  const at = from + blank + 1;
  return /[\udc00-\udfff]/.test(text[at] ?? "") ? at + 1 : at;
}
