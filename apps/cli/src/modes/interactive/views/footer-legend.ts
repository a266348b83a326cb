/** What the signs of the footer mean, for `/help`. */
export const FOOTER_LEGEND: readonly (readonly [sign: string, meaning: string])[] = [
  ["█ ░ ┃", "the context: used, free, and where compaction starts"],
  ["~1k/64k 2%", "tokens in the context, of those the model takes; ~ = an estimate until the model reports"],
  ["$0.000", "what this session has cost so far, in US dollars; models without a known price count as 0"],
  ["2 queued", "messages that wait; Alt+Up takes them back"],
];
