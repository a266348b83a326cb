/** What a tool cut from its output; the shown text itself is not repeated here. */
export interface Truncation {
  readonly truncated: true;
  readonly truncatedBy: "lines" | "bytes";
  /** Absent where the whole was too large to count. */
  readonly totalLines?: number;
  readonly totalBytes: number;
  readonly outputLines: number;
  readonly outputBytes: number;
  /** The shown part begins or ends inside a line. */
  readonly lastLinePartial: boolean;
  readonly maxLines: number;
  readonly maxBytes: number;
}

export interface OutputLimits {
  readonly maxLines: number;
  /** UTF-8. */
  readonly maxBytes: number;
}

const encoder = new TextEncoder();

/** UTF-8 length of a text. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** The first whole lines that fit the limits; at least one, so that a list never shows nothing. */
export function takeLines(lines: readonly string[], limits: OutputLimits): readonly string[] {
  let bytes = 0;
  let count = 0;
  for (const line of lines) {
    bytes += byteLength(line) + 1;
    if (count === limits.maxLines || (bytes > limits.maxBytes && count > 0)) break;
    count++;
  }
  return lines.slice(0, count);
}

/** The first `maxCharacters` code units of a text, never ending in half a surrogate pair. */
export function headOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return text.slice(
    0,
    isHighSurrogate(text.charCodeAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters,
  );
}

/** The last `maxCharacters` code units of a text, never beginning with half a surrogate pair. */
export function tailOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.length - maxCharacters;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

/** At most `maxCharacters` code units, never half a surrogate pair; says how much was cut. */
export function clipLine(line: string, maxCharacters: number): string {
  if (line.length <= maxCharacters) return line;
  const head = headOf(line, maxCharacters);
  return `${head}… [${line.length - head.length} more characters]`;
}

/** The last `maxBytes` UTF-8 bytes of a text, on a character boundary. */
export function lastBytes(text: string, maxBytes: number): string {
  // A code unit takes at most three bytes, so this slice always holds enough.
  const bytes = encoder.encode(text.slice(-maxBytes));
  if (bytes.length <= maxBytes) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let start = bytes.length - maxBytes;
  while (start < bytes.length && isContinuationByte(bytes[start])) start++;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start));
}

/** Length of the longest prefix of at most `maxBytes` that does not end inside a UTF-8 character. */
export function utf8PrefixLength(bytes: Uint8Array, maxBytes: number): number {
  if (bytes.length <= maxBytes) return bytes.length;
  let end = maxBytes;
  while (end > 0 && maxBytes - end < 4 && isContinuationByte(bytes[end])) end--;
  return isContinuationByte(bytes[end]) ? maxBytes : end;
}

/** True for the second to fourth byte of a UTF-8 character. */
export function isContinuationByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
