/** Bits for 64 KiB of text: a quarter to a half of them get set. */
const WORDS = 1024;
const SHIFT = 17;
const GRAM_BYTES = 4;
/** 2^32 divided by the golden ratio: spreads similar values. */
const SPREAD = 0x9e3779b1;

const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte | 32 : byte));

/**
 * Which groups of four bytes a text has, in 4 KiB, ASCII letters lower-cased: it can say that a text does not hold
 * another one, never that it does.
 */
export class TextFilter {
  readonly #bits = new Uint32Array(WORDS);

  constructor(bytes: Uint8Array) {
    const bits = this.#bits;
    let gram = 0;
    for (let index = 0; index < bytes.length; index++) {
      gram = (gram << 8) | (LOWER[bytes[index] ?? 0] ?? 0);
      const hash = Math.imul(gram, SPREAD) >>> SHIFT;
      bits[hash >>> 5] = (bits[hash >>> 5] ?? 0) | (1 << (hash & 31));
    }
  }

  /** False when the text cannot hold these bytes. */
  mayHold(bytes: Uint8Array): boolean {
    let gram = 0;
    for (let index = 0; index < bytes.length; index++) {
      gram = (gram << 8) | (LOWER[bytes[index] ?? 0] ?? 0);
      if (index < GRAM_BYTES - 1) continue;
      const hash = Math.imul(gram, SPREAD) >>> SHIFT;
      if (((this.#bits[hash >>> 5] ?? 0) & (1 << (hash & 31))) === 0) return false;
    }
    return true;
  }
}
