/** Counts the tokens of a text. The default knows scripts; an exact tokenizer can be plugged in. */
export interface TokenEstimator {
  estimateText(text: string): number;
}

/** What a stretch of text is made of. The first three form words; the next three form runs. */
const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const SPACE = 3;
const NEWLINE = 4;
const PUNCTUATION = 5;
const HAN = 6;
const KANA = 7;
const HANGUL = 8;
/** Greek, Cyrillic, Hebrew, Arabic, accented Latin: letters that form words as well. */
const LETTER = 9;
/** Symbols, arrows, box drawing and the scripts not named here. */
const OTHER = 10;
/** First half of a surrogate pair: emoji, rare Han. */
const ASTRAL = 11;
/** Second half of one: counted with the first. */
const TRAILING = 12;
/** What joins and varies emoji. */
const JOINER = 13;

/**
 * Tokens of the first character of a run of each class, fitted to o200k on code, logs, JSON, prose and localised
 * messages. The committed corpus of `bench/compaction/estimate.bench.ts` took no part in the fit.
 *
 * A single space goes with the word after it, mostly; longer white space is a token of its own.
 */
const FIRST: readonly number[] = [0, 0, 0, 0.1, 0.2, 0.5, 0.7, 0.72, 0.72, 0.27, 0.65, 1.9, 0, 1.4];
const SECOND: readonly number[] = [0, 0, 0, 0.56, 0, 0.43, 0.7, 0.72, 0.72, 0.27, 0.65, 1.9, 0, 1.4];
const FURTHER: readonly number[] = [0, 0, 0, 0, 0, 0.43, 0.7, 0.72, 0.72, 0.27, 0.65, 1.9, 0, 1.4];
const TOKENS_PER_LETTER = 0.25;
const TOKENS_PER_DIGIT_GROUP = 1.2;
const DIGITS_A_GROUP = 3;
/** Base64, hashes, ids: hardly a pair of characters is in a vocabulary. */
const TOKENS_PER_RANDOM_CHAR = 0.66;

/** A word of at least this length whose kinds of characters change this often is random. */
const LEAST_RANDOM_CHARS = 16;
const MOST_CHARS_PER_CHANGE = 4;

/** Longer texts are measured by slices, so that a huge result costs no more than a long one. */
const MOST_MEASURED_CHARS = 8192;
const SLICES = 16;
const SLICE_CHARS = MOST_MEASURED_CHARS / SLICES;

/** Estimated tokens of a text by script and by what it is made of; 0 for an empty one. */
export function estimateTextTokens(text: string): number {
  if (text.length <= MOST_MEASURED_CHARS) return Math.ceil(round(sliceTokens(text, 0, text.length)));
  let tokens = 0;
  for (let slice = 0; slice < SLICES; slice++) {
    const from = Math.floor((slice * (text.length - SLICE_CHARS)) / (SLICES - 1));
    tokens += sliceTokens(text, from, from + SLICE_CHARS);
  }
  return Math.ceil(round((tokens * text.length) / MOST_MEASURED_CHARS));
}

/** The estimator used where none is given. */
export const scriptEstimator: TokenEstimator = { estimateText: estimateTextTokens };

/** Sums of decimal fractions are a hair off; a hair must not become a token. */
function round(tokens: number): number {
  return Math.round(tokens * 1e6) / 1e6;
}

/** One pass, since it runs over every character of a session. */
function sliceTokens(text: string, from: number, to: number): number {
  let tokens = 0;
  let last = -1;
  let wordFrom = from;
  let wordTokens = 0;
  let changes = 0;
  /** Characters of the present kind in a row. */
  let run = 0;
  for (let index = from; index < to; index++) {
    const kind = CLASSES[text.charCodeAt(index)] ?? OTHER;
    run = kind === last ? run + 1 : 1;
    if (kind > DIGIT) {
      if (last >= 0 && last <= DIGIT) tokens += ofWord(index - wordFrom, wordTokens, changes);
      tokens += (run === 1 ? FIRST : run === 2 ? SECOND : FURTHER)[kind] ?? 0;
    } else {
      if (last < 0 || last > DIGIT) {
        wordFrom = index;
        wordTokens = 0;
        changes = 0;
      } else if (kind !== last && !(last === UPPER && kind === LOWER)) changes++;
      wordTokens +=
        kind === DIGIT ? (run % DIGITS_A_GROUP === 1 ? TOKENS_PER_DIGIT_GROUP : 0) : TOKENS_PER_LETTER;
    }
    last = kind;
    if (kind !== LOWER) continue;
    // Most of any text: the rest of a word in small letters changes nothing but its length.
    const start = index;
    while (index + 1 < to && CLASSES[text.charCodeAt(index + 1)] === LOWER) index++;
    wordTokens += (index - start) * TOKENS_PER_LETTER;
  }
  return last >= 0 && last <= DIGIT ? tokens + ofWord(to - wordFrom, wordTokens, changes) : tokens;
}

/** The tokens of a word: more where its kinds of characters change too often for words and camel case. */
function ofWord(length: number, tokens: number, changes: number): number {
  const isRandom = length >= LEAST_RANDOM_CHARS && changes * MOST_CHARS_PER_CHANGE >= length;
  return isRandom ? length * TOKENS_PER_RANDOM_CHAR : tokens;
}

const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code === 0x20 || code === 0x09) return SPACE;
  return code === 0x0a || code === 0x0d ? NEWLINE : PUNCTUATION;
});

/** Ranges above ASCII, rising: last code → class. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x00bf, OTHER],
  [0x07ff, LETTER],
  [0x200c, OTHER],
  [0x200d, JOINER],
  [0x2e7f, OTHER],
  [0x303f, HAN],
  [0x30ff, KANA],
  [0x9fff, HAN],
  [0xabff, OTHER],
  [0xd7af, HANGUL],
  [0xd7ff, OTHER],
  [0xdbff, ASTRAL],
  [0xdfff, TRAILING],
  [0xf8ff, OTHER],
  [0xfaff, HAN],
  [0xfe0e, OTHER],
  [0xfe0f, JOINER],
  [0xfeff, OTHER],
  [0xffff, HAN],
];

const CLASSES = new Uint8Array(0x1_0000);
let filled = 0;
for (const [last, kind] of RANGES) {
  CLASSES.fill(kind, filled, last + 1);
  filled = last + 1;
}
CLASSES.set(ASCII_CLASSES);
