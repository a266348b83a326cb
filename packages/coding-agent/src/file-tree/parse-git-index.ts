import { GitIndex } from "./git-index.ts";

/** What `parseGitIndexHeader` needs. */
export const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const ID_BYTES = 20;
/** No entry is shorter: its stat, its object, two bytes of flags. */
const MIN_ENTRY_BYTES = STAT_BYTES + ID_BYTES + 2;
const EXTENDED_FLAG = 0x4000;
const STAGE_MASK = 0x3000;
const NAME_MASK = 0x0fff;
/** Names of version 4 repeat parts of one another: few bytes could stand for more than fits into memory. */
const MAX_NAME_BYTES = 256 * 1024 * 1024;

/**
 * Finds the entries of a git index. None for a version that is not known; of one that is cut off, what stands before.
 *
 * Source: gitformat-index (2026-11), versions 2 to 4 with SHA-1. Reading it runs nothing of the repository.
 */
export function parseGitIndex(bytes: Uint8Array): GitIndex {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { version, entryCount } = parseGitIndexHeader(bytes);
  const most = Math.min(entryCount, Math.floor(index.length / MIN_ENTRY_BYTES));
  const names = version === 4 ? new SharedNames(index) : new PlainNames(index);
  const [entryStarts, nameStarts, nameEnds] = [0, 1, 2].map(() => new Uint32Array(most)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  let count = 0;
  try {
    for (let [entry, at] = [0, HEADER_BYTES]; entry < most; entry++) {
      const start = at;
      const flags = view.getUint16(start + STAT_BYTES + ID_BYTES);
      const isExtended = (flags & EXTENDED_FLAG) !== 0 && version > 2;
      const end = names.read(start + MIN_ENTRY_BYTES + (isExtended ? 2 : 0), flags & NAME_MASK);
      at = version === 4 ? end : start + Math.ceil((end - start) / 8) * 8;
      if ((flags & STAGE_MASK) !== 0) continue;
      entryStarts[count] = start;
      nameStarts[count] = names.start;
      nameEnds[count] = names.end;
      count++;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return new GitIndex({
    ...{ index, names: names.bytes, entryStarts: entryStarts.subarray(0, count) },
    ...{ nameStarts: nameStarts.subarray(0, count), nameEnds: nameEnds.subarray(0, count) },
  });
}

/** What the first 12 bytes of an index say; no entries where they are of none, or of a version that is not known. */
export function parseGitIndexHeader(bytes: Uint8Array): {
  readonly version: number;
  readonly entryCount: number;
} {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEADER_BYTES));
  const isIndex = header.length === HEADER_BYTES && header.toString("latin1", 0, 4) === "DIRC";
  const version = isIndex ? header.readUInt32BE(4) : 0;
  const isKnown = version >= 2 && version <= 4;
  return { version, entryCount: isKnown ? header.readUInt32BE(8) : 0 };
}

/** Versions 2 and 3: names stand in the index as they are. */
class PlainNames {
  readonly bytes: Buffer;
  /** Of the name that was read last. */
  start = 0;
  end = 0;

  constructor(index: Buffer) {
    this.bytes = index;
  }

  /** Answers where the entry goes on, behind the closing NUL of its name. */
  read(at: number, length: number): number {
    this.start = at;
    this.end = length < NAME_MASK ? at + length : endOf(this.bytes, at + NAME_MASK);
    if (this.end >= this.bytes.length) throw new RangeError("A name is cut off.");
    return this.end + 1;
  }
}

/** Version 4: how many bytes of the name before go, as git's variable-length number, then what comes instead. */
class SharedNames {
  readonly #index: Buffer;
  bytes: Buffer;
  start = 0;
  end = 0;

  constructor(index: Buffer) {
    this.#index = index;
    this.bytes = Buffer.allocUnsafe(index.length);
  }

  read(start: number): number {
    let at = start;
    let byte = this.#index.readUInt8(at++);
    let dropped = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = this.#index.readUInt8(at++);
      dropped = ((dropped + 1) << 7) | (byte & 0x7f);
    }
    const [from, to] = [this.start, this.end - dropped];
    const end = endOf(this.#index, at);
    if (dropped < 0 || to < from) throw new RangeError("More of a name goes than it has.");
    this.#growFor(to - from + (end - at));
    this.start = this.end;
    const shared = this.bytes.copy(this.bytes, this.start, from, to);
    this.end = this.start + shared + this.#index.copy(this.bytes, this.start + shared, at, end);
    return end + 1;
  }

  #growFor(more: number): void {
    const needed = this.end + more;
    if (needed > MAX_NAME_BYTES) throw new RangeError("The names are too long.");
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown);
    this.bytes = grown;
  }
}

function endOf(index: Buffer, from: number): number {
  const end = index.indexOf(0, from);
  if (end < 0) throw new RangeError("A name has no end.");
  return end;
}
