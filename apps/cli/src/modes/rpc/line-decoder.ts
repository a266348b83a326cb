const LF = 10;

/** More than any image or prompt needs; a longer line is a peer that lost its way. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** What a line turned out to be; `tooLong` was dropped up to its end. */
export type DecodedLine = { readonly text: string } | { readonly tooLong: true };

/** Cuts bytes into lines at LF alone: other line ends of Unicode are text (fault B209). One CR before it is dropped. */
export class LineDecoder {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): readonly DecodedLine[] {
    const lines: DecodedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** What came after the last LF, if anything did. */
  end(): readonly DecodedLine[] {
    return this.#bytes === 0 ? [] : [this.#take()];
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.byteLength;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else if (part.byteLength > 0) this.#parts.push(part);
  }

  #take(): DecodedLine {
    const line: DecodedLine =
      this.#bytes > this.#maxBytes
        ? { tooLong: true }
        : { text: new TextDecoder().decode(Buffer.concat(this.#parts)).replace(/\r$/, "") };
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}
