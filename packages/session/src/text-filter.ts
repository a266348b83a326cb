/** 2^16 bits for 64 KiB of text: some four in ten get set. */
const WORDS = 2048;
const SHIFT = 16;
const SHORT_BYTES = 4;
const LONG_BYTES = 6;
const LONG_MASK = 0xffff;
/** 2^32 divided by the golden ratio, and another odd number: they spread similar values. */
const SPREAD = 0x9e3779b1;
const LONG_SPREAD = 0x85ebca6b;

const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte | 32 : byte));

/**
 * Which groups of four and of six bytes a text has, in 8 KiB, ASCII letters lower-cased: it can say that a text does not
 * hold another one, never that it does.
 */
export class TextFilter {
  readonly #bits = new Uint32Array(WORDS);

  constructor(bytes: Uint8Array) {
    const bits = this.#bits;
    let last = 0;
    let before = 0;
    for (let index = 0; index < bytes.length; index++) {
      before = ((before << 8) | (last >>> 24)) & LONG_MASK;
      last = (last << 8) | (LOWER[bytes[index] ?? 0] ?? 0);
      const short = shortHash(last);
      bits[short >>> 5] = (bits[short >>> 5] ?? 0) | (1 << (short & 31));
      const long = longHash(before, last);
      bits[long >>> 5] = (bits[long >>> 5] ?? 0) | (1 << (long & 31));
    }
  }

  /** False when the text cannot hold these bytes. */
  mayHold(bytes: Uint8Array): boolean {
    let last = 0;
    let before = 0;
    for (let index = 0; index < bytes.length; index++) {
      before = ((before << 8) | (last >>> 24)) & LONG_MASK;
      last = (last << 8) | (LOWER[bytes[index] ?? 0] ?? 0);
      if (index >= SHORT_BYTES - 1 && !this.#has(shortHash(last))) return false;
      if (index >= LONG_BYTES - 1 && !this.#has(longHash(before, last))) return false;
    }
    return true;
  }

  #has(hash: number): boolean {
    return ((this.#bits[hash >>> 5] ?? 0) & (1 << (hash & 31))) !== 0;
  }
}

function shortHash(last: number): number {
  return Math.imul(last, SPREAD) >>> SHIFT;
}

function longHash(before: number, last: number): number {
  return Math.imul(Math.imul(before + 1, LONG_SPREAD) ^ last, SPREAD) >>> SHIFT;
}
