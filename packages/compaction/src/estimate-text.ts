/** Counts the tokens of a text. The default knows scripts; an exact tokenizer can be plugged in. */
export interface TokenEstimator {
  estimateText(text: string): number;
}

const TOKENS_PER_ASCII = 1 / 4;
/** Han, kana and hangul: about 1.5 characters a token. */
const TOKENS_PER_CJK = 1 / 1.5;
/** Cyrillic, Greek, Arabic, accented Latin and the like. */
const TOKENS_PER_OTHER = 1 / 2.5;
/** Characters outside the basic plane: emoji, rare Han. */
const TOKENS_PER_ASTRAL = 2;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const NON_ASCII = /[^\x00-\x7f]/;

/** Estimated tokens of a text by script; 0 for an empty one. */
export function estimateTextTokens(text: string): number {
  if (!NON_ASCII.test(text)) return Math.ceil(text.length * TOKENS_PER_ASCII);
  let tokens = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) tokens += TOKENS_PER_ASCII;
    else if (isCjk(code)) tokens += TOKENS_PER_CJK;
    else if (code >= 0xd800 && code <= 0xdbff) tokens += TOKENS_PER_ASTRAL;
    else if (code < 0xdc00 || code > 0xdfff) tokens += TOKENS_PER_OTHER;
  }
  return Math.ceil(tokens);
}

/** The estimator used where none is given. */
export const scriptEstimator: TokenEstimator = { estimateText: estimateTextTokens };

function isCjk(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef)
  );
}
