/** How the bytes of a text file are read. `bomBytes` lead the file and belong to no line. */
export interface TextEncoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be";
  readonly bomBytes: number;
}

/** Bytes looked at to tell text from binary. */
export const SNIFF_BYTES = 8192;

/** The encoding of a file by its first bytes (`SNIFF_BYTES` are enough); undefined for binary data. */
export function detectEncoding(head: Uint8Array): TextEncoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return { name: "utf-16le", bomBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { name: "utf-16be", bomBytes: 2 };
  if (head.subarray(0, SNIFF_BYTES).includes(0)) return undefined;
  const hasBom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return { name: "utf-8", bomBytes: hasBom ? 3 : 0 };
}

/** First of the 128 code units that stand for bytes that are not UTF-8. */
const ESCAPE_BASE = 0xdc00;

/**
 * Bytes as a text that `encodeLossless` turns back into the very same bytes.
 *
 * Bytes that are not valid UTF-8 become lone low surrogates U+DC80 to U+DCFF. The BOM is not part of the text.
 * Undefined for UTF-16 with an odd number of bytes.
 */
export function decodeLossless(data: Uint8Array, encoding: TextEncoding): string | undefined {
  const body = data.subarray(encoding.bomBytes);
  if (encoding.name === "utf-8") return decodeUtf8(body);
  if (body.length % 2 !== 0) return undefined;
  const copy = Buffer.from(body);
  return (encoding.name === "utf-16be" ? copy.swap16() : copy).toString("utf16le");
}

/** The bytes of a text, BOM included. */
export function encodeLossless(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding.name === "utf-8") {
    const body = encodeUtf8(text);
    return encoding.bomBytes === 0 ? body : Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
  }
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return encoding.name === "utf-16be" ? bytes.swap16() : bytes;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeBrokenUtf8(bytes);
  }
}

function decodeBrokenUtf8(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  let valid = 0;
  let at = 0;
  const flush = (end: number): void => {
    if (end > valid) parts.push(decoder.decode(bytes.subarray(valid, end)));
  };
  while (at < bytes.length) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    flush(at);
    parts.push(String.fromCharCode(ESCAPE_BASE + (bytes[at] ?? 0)));
    at++;
    valid = at;
  }
  flush(at);
  return parts.join("");
}

/** Bytes of the valid UTF-8 character at `at`; 0 when there is none (table 3-7 of the Unicode standard). */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  const isNext = (offset: number): boolean => ((bytes[at + offset] ?? 0) & 0xc0) === 0x80;
  if (first >= 0xc2 && first <= 0xdf) return isNext(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    const high = first === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isNext(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const low = first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high && isNext(2) && isNext(3) ? 4 : 0;
  }
  return 0;
}

const ESCAPED_BYTE = /[\udc80-\udcff]/u;

function encodeUtf8(text: string): Uint8Array {
  if (!ESCAPED_BYTE.test(text)) return new TextEncoder().encode(text);
  // With the `u` flag only lone surrogates match, never the halves of a pair.
  const parts = text.split(/([\udc80-\udcff])/u).map((part, index) => {
    return index % 2 === 1 ? Buffer.from([part.charCodeAt(0) - ESCAPE_BASE]) : Buffer.from(part, "utf8");
  });
  return Buffer.concat(parts);
}
