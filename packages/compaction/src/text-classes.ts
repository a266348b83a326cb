/** What a text is made of, character by character. The first three form words. */
export const LOWER = 0;
export const UPPER = 1;
export const DIGIT = 2;
export const SPACE = 3;
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
export const TRAILING = 12;
/** What joins and varies emoji. */
const JOINER = 13;

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

/** Class of each UTF-16 unit. */
export const CLASSES = new Uint8Array(0x1_0000);
let filled = 0;
for (const [last, kind] of RANGES) {
  CLASSES.fill(kind, filled, last + 1);
  filled = last + 1;
}
CLASSES.set(ASCII_CLASSES);
