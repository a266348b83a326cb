/** A window smaller than this is no limit of a model but some other number of the text. */
const LEAST_LIMIT_TOKENS = 512;

/** Most telling first. Samples stand in the test, from the error texts of the providers' own pages (2026). */
const PATTERNS: readonly RegExp[] = [
  /\bn_ctx\D{0,4}(\d[\d,_]*)/i,
  />=?\s*(\d[\d,_]*)/,
  /(?:maximum|max|limit|allowed|context)(?:(?!\bby\b)[^.\d]){0,60}?(\d[\d,_]*)/i,
];

/** The context window, in tokens, that a provider names when it refuses a request as too long; undefined = none. */
export function namedLimitTokens(errorText: string): number | undefined {
  for (const pattern of PATTERNS) {
    const digits = pattern.exec(errorText)?.[1];
    if (digits === undefined) continue;
    const tokens = Number(digits.replaceAll(/[,_]/g, ""));
    if (Number.isSafeInteger(tokens) && tokens >= LEAST_LIMIT_TOKENS) return tokens;
  }
  return undefined;
}
