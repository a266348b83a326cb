export interface MessageLinesOptions {
  /** Of one line. */
  readonly maxBytes: number;
  /** A line without its end; empty ones are left out. */
  readonly onLine: (line: string) => void;
}

const LINE_FEED = 0x0a;

/** Cuts a stream of bytes into lines. Every byte is looked at once, however large a line and however small the chunks. */
export class MessageLines {
  readonly #options: MessageLinesOptions;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(options: MessageLinesOptions) {
    this.#options = options;
  }

  /** Throws for a line that is too long; nothing can follow it. */
  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, from);
      this.#add(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#finish();
      from = end + 1;
    }
  }

  #add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.#options.maxBytes) {
      throw new Error(`The server sent a message of more than ${this.#options.maxBytes} bytes.`);
    }
    if (part.length > 0) this.#parts.push(part);
  }

  #finish(): void {
    const line = Buffer.concat(this.#parts, this.#length).toString("utf8").trim();
    this.#parts = [];
    this.#length = 0;
    if (line !== "") this.#options.onLine(line);
  }
}
