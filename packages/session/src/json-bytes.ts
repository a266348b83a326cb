const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const UNICODE_ESCAPE = 0x75;

const MAX_DEPTH = 64;
const NOWHERE = -1;

/** Bytes that end a run of plain bytes in a string: control characters, the quote, the backslash. */
const ENDS_RUN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
);
/** What may follow a backslash, other than the `u` of four digits. */
const ENDS_ESCAPE = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);
const LITERALS = ["true", "false", "null"].map((word) => Buffer.from(word));

/**
 * Where the JSON value that starts at `at` ends; -1 where that is not certain: what it accepts is JSON, but JSON with
 * white space between its parts, or nested very deep, is not accepted.
 *
 * Makes nothing of what it reads, and costs less than half of parsing it (`bench/session`, index).
 */
export function endOfJson(bytes: Uint8Array, at: number, depth = 0): number {
  const first = bytes[at] ?? 0;
  if (first === QUOTE) return endOfString(bytes, at + 1);
  if (depth > MAX_DEPTH) return NOWHERE;
  if (first === OPEN_BRACE) return endOfObject(bytes, at + 1, depth);
  if (first === OPEN_BRACKET) return endOfArray(bytes, at + 1, depth);
  return isDigit(first) || first === 0x2d ? endOfNumber(bytes, at) : endOfLiteral(bytes, at);
}

/** Where the string ends whose first byte after the quote is at `at`; -1 when it does not. */
export function endOfString(bytes: Uint8Array, at: number): number {
  for (let index = at; ; ) {
    let byte = bytes[index++] ?? 0;
    while (ENDS_RUN[byte] === 0) byte = bytes[index++] ?? 0;
    if (byte === QUOTE) return index;
    if (byte !== BACKSLASH) return NOWHERE;
    const escaped = bytes[index++] ?? 0;
    if (escaped === UNICODE_ESCAPE) {
      for (const end = index + 4; index < end; index++) if (!isHex(bytes[index] ?? 0)) return NOWHERE;
    } else if (ENDS_ESCAPE[escaped] === 0) return NOWHERE;
  }
}

function endOfObject(bytes: Uint8Array, at: number, depth: number): number {
  if (bytes[at] === CLOSE_BRACE) return at + 1;
  for (let index = at; ; ) {
    if (bytes[index] !== QUOTE) return NOWHERE;
    index = endOfString(bytes, index + 1);
    if (index === NOWHERE || bytes[index] !== COLON) return NOWHERE;
    index = endOfJson(bytes, index + 1, depth + 1);
    if (index === NOWHERE) return NOWHERE;
    const next = bytes[index++];
    if (next !== COMMA) return next === CLOSE_BRACE ? index : NOWHERE;
  }
}

function endOfArray(bytes: Uint8Array, at: number, depth: number): number {
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (let index = at; ; ) {
    index = endOfJson(bytes, index, depth + 1);
    if (index === NOWHERE) return NOWHERE;
    const next = bytes[index++];
    if (next !== COMMA) return next === CLOSE_BRACKET ? index : NOWHERE;
  }
}

function endOfNumber(bytes: Uint8Array, at: number): number {
  const start = bytes[at] === 0x2d ? at + 1 : at;
  let index = endOfDigits(bytes, start);
  if (index === start || (bytes[start] === 0x30 && index > start + 1)) return NOWHERE;
  if (bytes[index] === 0x2e) {
    const fraction = index + 1;
    index = endOfDigits(bytes, fraction);
    if (index === fraction) return NOWHERE;
  }
  if (((bytes[index] ?? 0) | 0x20) !== 0x65) return index;
  const sign = bytes[index + 1];
  const exponent = index + (sign === 0x2b || sign === 0x2d ? 2 : 1);
  index = endOfDigits(bytes, exponent);
  return index === exponent ? NOWHERE : index;
}

function endOfDigits(bytes: Uint8Array, at: number): number {
  let index = at;
  while (isDigit(bytes[index] ?? 0)) index++;
  return index;
}

function endOfLiteral(bytes: Uint8Array, at: number): number {
  for (const word of LITERALS) {
    if (word.every((byte, index) => bytes[at + index] === byte)) return at + word.length;
  }
  return NOWHERE;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
