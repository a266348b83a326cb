/** A filter tells 32 blocks apart, one bit of a word each. */
export const BLOCK_BYTES = 4096;
export const FILTERED_BYTES = 32 * BLOCK_BYTES;
/** A block knows so much of the next one, so that a text that begins in it can be told by its first bytes. */
export const OVERLAP_BYTES = 64;
export const ALL_BLOCKS = -1;

/** 4096 groups for 4096 bytes of text: about half of the bits of a block get set. */
const GROUPS = 4096;
const SHIFT = 20;
const GROUP_BYTES = 5;
/** 2^32 divided by the golden ratio, and another odd number: they spread similar values. */
const SPREAD = 0x9e3779b1;
const MORE_SPREAD = 0x85ebca6b;

const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte | 32 : byte));

/**
 * Which groups of five bytes begin in which of 32 blocks of a text, in 16 KiB, ASCII letters lower-cased: it can say
 * that a text does not begin in a block, never that it does.
 */
export class TextFilter {
  readonly #blocks = new Uint32Array(GROUPS);

  /** Takes 32 blocks and the overlap behind them; fewer bytes are fewer blocks. */
  constructor(bytes: Uint8Array) {
    for (let block = 0; block < 32; block++) {
      const from = block * BLOCK_BYTES;
      this.#add(bytes, from, Math.min(bytes.length, from + BLOCK_BYTES + OVERLAP_BYTES), 1 << block);
    }
  }

  #add(bytes: Uint8Array, from: number, to: number, bit: number): void {
    const blocks = this.#blocks;
    let last = 0;
    for (let index = from; index < to; index++) {
      const before = last >>> 24;
      last = (last << 8) | (LOWER[bytes[index] ?? 0] ?? 0);
      const group = groupOf(before, last);
      blocks[group] = (blocks[group] ?? 0) | bit;
    }
  }

  /** The blocks in which the text may begin that has these groups: bit 0 is the first. */
  blocksWith(groups: readonly number[]): number {
    let blocks = ALL_BLOCKS;
    for (const group of groups) {
      blocks &= this.#blocks[group] ?? 0;
      if (blocks === 0) return 0;
    }
    return blocks;
  }
}

/** What `blocksWith` takes for a text: none for one of fewer than five bytes, which may be anywhere. */
export function groupsOf(text: Uint8Array): readonly number[] {
  const groups: number[] = [];
  let last = 0;
  for (let index = 0; index < Math.min(text.length, OVERLAP_BYTES); index++) {
    const before = last >>> 24;
    last = (last << 8) | (LOWER[text[index] ?? 0] ?? 0);
    if (index >= GROUP_BYTES - 1) groups.push(groupOf(before, last));
  }
  return groups;
}

function groupOf(before: number, last: number): number {
  return Math.imul(Math.imul(last, SPREAD) ^ before, MORE_SPREAD) >>> SHIFT;
}
