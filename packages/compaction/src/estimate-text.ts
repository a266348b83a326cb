/** Counts the tokens of a text. The default knows scripts; an exact tokenizer can be plugged in. */
export interface TokenEstimator {
  estimateText(text: string): number;
}

/** What a text is made of, character by character. The first three form words. */
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
 * Hundredths of a token of the first character of a run of each class (of a group of digits), and of each further one; fitted to o200k on code,
 * logs, JSON, prose and localised messages. The committed corpus of `bench/compaction/estimate.bench.ts` took no part.
 */
const FIRST = Uint8Array.of(25, 25, 120, 10, 20, 50, 70, 72, 72, 27, 65, 190, 0, 140);
const FURTHER = Uint8Array.of(25, 25, 0, 0, 0, 43, 70, 72, 72, 27, 65, 190, 0, 140);
/** A single space goes with the word after it, mostly; longer white space is a token of its own. */
const LONG_SPACE_COST = 56;
const DIGITS_A_GROUP = 3;
/** Base64, hashes, ids: hardly a pair of characters is in a vocabulary. */
const RANDOM_CHAR_COST = 66;
const COSTS_A_TOKEN = 100;

/** A word of at least this length whose kinds of characters change this often is random. */
const LEAST_RANDOM_CHARS = 16;
const MOST_CHARS_PER_CHANGE = 4;

/** Longer texts are measured by slices: a huge result costs no more than a long one. Of source files and logs of 6,000
 * characters the slices say what the whole says, 3.2 % more or less at p95. */
const MOST_MEASURED_CHARS = 2048;
const SLICES = 16;
const SLICE_CHARS = MOST_MEASURED_CHARS / SLICES;

/** Estimated tokens of a text by script and by what it is made of; 0 for an empty one. */
export function estimateTextTokens(text: string): number {
  if (text.length <= MOST_MEASURED_CHARS) return Math.ceil(costOf(text) / COSTS_A_TOKEN);
  let cost = 0;
  for (let slice = 0; slice < SLICES; slice++) {
    const middle = ((slice + 0.5) * text.length) / SLICES;
    const from = Math.floor(middle - SLICE_CHARS / 2);
    cost += costOf(text.slice(from, from + SLICE_CHARS));
  }
  return Math.ceil((cost * text.length) / MOST_MEASURED_CHARS / COSTS_A_TOKEN);
}

/** The estimator used where none is given. */
export const scriptEstimator: TokenEstimator = { estimateText: estimateTextTokens };

/** The UTF-16 units under measure: reading them here is faster than asking the string for each. */
const scratch = Buffer.alloc(2 * MOST_MEASURED_CHARS);
const units = new Uint16Array(scratch.buffer, scratch.byteOffset, MOST_MEASURED_CHARS);
const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** Cost of at most `MOST_MEASURED_CHARS`, run by run: this goes over every character of a session. */
function costOf(text: string): number {
  scratch.write(text, "utf16le");
  if (IS_BIG_ENDIAN) scratch.swap16();
  const { length } = text;
  let cost = 0;
  let last = -1;
  // Of the word at hand; zero between words.
  let chars = 0;
  let changes = 0;
  let wordCost = 0;
  for (let index = 0; index < length; ) {
    const from = index;
    const kind = CLASSES[units[index++] as number] as number;
    while (index < length && CLASSES[units[index] as number] === kind) index++;
    const run = index - from;
    if (kind <= DIGIT) {
      if (chars > 0 && !(last === UPPER && kind === LOWER)) changes++;
      chars += run;
      wordCost += (FIRST[kind] as number) * (kind === DIGIT ? Math.ceil(run / DIGITS_A_GROUP) : run);
    } else {
      if (chars > 0) cost += costOfWord(chars, wordCost, changes);
      chars = changes = wordCost = 0;
      cost += FIRST[kind] as number;
      if (run > 1) cost += kind === SPACE ? LONG_SPACE_COST : (FURTHER[kind] as number) * (run - 1);
    }
    last = kind;
  }
  return cost + costOfWord(chars, wordCost, changes);
}

/** More than its letters cost where its kinds of characters change too often for words and camel case. */
function costOfWord(chars: number, wordCost: number, changes: number): number {
  const isRandom = chars >= LEAST_RANDOM_CHARS && changes * MOST_CHARS_PER_CHANGE >= chars;
  return isRandom ? chars * RANDOM_CHAR_COST : wordCost;
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
