import type { ParseError } from "jsonc-parser";

/**
 * The value of a JSON text with `//` and block comments, trailing commas and a byte order mark.
 *
 * A key that comes twice keeps its last value; objects have no prototype, so `__proto__` is a key like any other. Rejects
 * with a `SyntaxError` that names the first wrong place; line and column count from 1.
 */
export async function parseJsonc(text: string): Promise<unknown> {
  const { getNodeValue, parseTree, printParseErrorCode } = await loadJsonc();
  const source = text.replace(BYTE_ORDER_MARK, "");
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    throw new SyntaxError(`${placeOf(source, error.offset)}: ${inWords(printParseErrorCode(error.error))}`);
  }
  if (root === undefined) throw new SyntaxError("line 1, column 1: a value expected");
  return getNodeValue(root);
}

/** The library as a whole. */
export type Jsonc = typeof import("jsonc-parser");

/** A file's first character that is no part of its JSON. */
export const BYTE_ORDER_MARK = /^\uFEFF/;

/** The library, loaded by the first who needs it: an agent without settings does not pay for it. */
export async function loadJsonc(): Promise<Jsonc> {
  // CommonJS in Node, whose names are sure to be on the default export only; a bundler may take its ES modules.
  const library: Jsonc & { readonly default?: Jsonc } = await import("jsonc-parser");
  return library.default ?? library;
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** `ValueExpected` → `a value expected`. */
function inWords(code: string): string {
  const words = code.replaceAll(/(?<!^)[A-Z]/g, " $&").toLowerCase();
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}
