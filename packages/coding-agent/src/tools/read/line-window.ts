import { utf8PrefixLength } from "../../text/truncate.ts";

export interface LineWindowOptions {
  /** 1-based. */
  readonly firstLine: number;
  readonly maxLines: number;
  readonly maxBytes: number;
}

export interface PickedLines {
  readonly bytes: Uint8Array;
  /** Lines in `bytes`; one that is cut counts. */
  readonly lines: number;
  /** `bytes` ends inside its only line, which is longer than `maxBytes`. */
  readonly isCutInLine: boolean;
  /** Bytes of the stream before `bytes`. */
  readonly position: number;
  /** Lines and bytes that the stream has had so far. */
  readonly seenLines: number;
  readonly seenBytes: number;
}

const LINE_FEED = 10;

/**
 * Picks whole lines out of a stream of UTF-8 bytes and counts all of them, in memory bounded by what it picks.
 *
 * A line ends with LF, which belongs to it. When the first line alone is too long, its beginning is picked.
 */
export class LineWindow {
  readonly #options: LineWindowOptions;
  readonly #parts: Uint8Array[] = [];
  /** Bytes in `#parts`, and how many of them are whole lines. */
  #heldBytes = 0;
  #wholeBytes = 0;
  #wholeLines = 0;
  #position = 0;
  #finishedLines = 0;
  #seenBytes = 0;
  #isFull = false;
  #isInLine = false;

  constructor(options: LineWindowOptions) {
    this.#options = options;
  }

  /** True once it can pick no more; further bytes are only counted. */
  get isFull(): boolean {
    return this.#isFull;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    while (start < chunk.length) {
      const lineFeed = chunk.indexOf(LINE_FEED, start);
      const end = lineFeed === -1 ? chunk.length : lineFeed + 1;
      this.#take(chunk.subarray(start, end), lineFeed !== -1);
      start = end;
    }
  }

  picked(): PickedLines {
    const { maxBytes } = this.#options;
    const held = Buffer.concat(this.#parts);
    const isTooLong = this.#heldBytes > maxBytes;
    const isCutInLine = isTooLong && this.#wholeLines === 0;
    const size = isCutInLine
      ? utf8PrefixLength(held, maxBytes)
      : isTooLong
        ? this.#wholeBytes
        : this.#heldBytes;
    return {
      bytes: held.subarray(0, size),
      lines: this.#wholeLines + (size > this.#wholeBytes ? 1 : 0),
      isCutInLine,
      position: this.#position,
      seenLines: this.#finishedLines + (this.#isInLine ? 1 : 0),
      seenBytes: this.#seenBytes,
    };
  }

  #take(piece: Uint8Array, isLineEnd: boolean): void {
    if (this.#finishedLines + 1 < this.#options.firstLine) this.#position += piece.length;
    else if (!this.#isFull) this.#keep(piece, isLineEnd);
    this.#seenBytes += piece.length;
    this.#isInLine = !isLineEnd;
    if (isLineEnd) this.#finishedLines++;
  }

  #keep(piece: Uint8Array, isLineEnd: boolean): void {
    const { maxBytes, maxLines } = this.#options;
    // One byte over the limit is enough to know that the line does not fit.
    this.#parts.push(Uint8Array.from(piece.subarray(0, maxBytes + 1 - this.#heldBytes)));
    this.#heldBytes = Math.min(this.#heldBytes + piece.length, maxBytes + 1);
    if (this.#heldBytes > maxBytes) {
      this.#isFull = true;
      return;
    }
    if (!isLineEnd) return;
    this.#wholeLines++;
    this.#wholeBytes = this.#heldBytes;
    this.#isFull = this.#wholeLines === maxLines;
  }
}
