/** One kind of secret: how it looks, and where that is written. */
export interface SecretKind {
  /** Kebab-case; stands in the placeholder. */
  readonly id: string;
  /** Lower-case text without which the pattern cannot match; it is only run where one of these occurs. */
  readonly hints: readonly string[];
  /** Global; matches the secret alone, what stands before it through a lookbehind. Linear on any text. */
  readonly pattern: RegExp;
  /** Looks at a match once more: patterns with little form of their own need a second opinion. */
  readonly accepts?: (value: string) => boolean;
  /** The document that describes the form. */
  readonly source: string;
}

/**
 * A place where a short prefix may begin: behind something that is no word.
 *
 * The end of an escape sequence counts as none either: `\n` in JSON, `%3D` in an address, a colour of a terminal.
 */
export const WORD_START = String.raw`(?<![A-Za-z0-9_](?<!\\[nrt]|%[0-9A-Fa-f]{2}|\[[\d;]{0,12}m))`;
