import type { ScreenTextSink } from "./screen-text.ts";
import { byteLength, lastBytes, type OutputLimits, type Truncation } from "./truncate.ts";

/** The end of an output and what was cut from it. */
export interface Tail {
  readonly text: string;
  readonly truncation: Truncation | undefined;
  /** 1-based number of the first line shown. */
  readonly firstLine: number;
  /** 1-based number of the last line. */
  readonly lastLine: number;
}

/** Keeps the last lines of a stream in bounded memory and counts the rest. A trailing line break opens no line. */
export class TailBuffer implements ScreenTextSink {
  readonly #limits: OutputLimits;
  /** Finished lines without their break, oldest first; may hold more than the limits allow. */
  #lines: { readonly text: string; readonly bytes: number; readonly cut: boolean }[] = [];
  #linesBytes = 0;
  #dropped = 0;
  #totalBytes = 0;
  #current = "";
  #currentCut = false;

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  append(text: string): void {
    this.#totalBytes += byteLength(text);
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      this.#extend(text.slice(from, end));
      this.#finishLine();
      from = end + 1;
    }
    this.#extend(text.slice(from));
  }

  restartLine(): void {
    this.#totalBytes -= byteLength(this.#current);
    this.#current = "";
    this.#currentCut = false;
  }

  backspace(): void {
    const last = [...this.#current.slice(-2)].at(-1) ?? "";
    this.#totalBytes -= byteLength(last);
    this.#current = this.#current.slice(0, this.#current.length - last.length);
  }

  /** The text to show now. */
  tail(): Tail {
    const lines = this.#current === "" ? this.#lines : [...this.#lines, this.#currentLine()];
    const { maxLines, maxBytes } = this.#limits;
    let bytes = 0;
    let start = lines.length;
    for (; start > 0 && lines.length - start < maxLines; start--) {
      const size = (lines[start - 1]?.bytes ?? 0) + (start === lines.length ? 0 : 1);
      if (bytes + size > maxBytes) break;
      bytes += size;
    }
    // Blank lines alone say nothing: then the end of the line before them is shown.
    const count = lines.length - start;
    const isPartial = start > 0 && count < maxLines && bytes === Math.max(0, count - 1);
    const whole = lines.slice(start).map((line) => line.text);
    const room = maxBytes - bytes - (whole.length > 0 ? 1 : 0);
    const part = isPartial ? [lastBytes(lines[start - 1]?.text ?? "", room)] : [];
    const shown = lines.slice(start - part.length);
    const text = [...part, ...whole].join("\n");
    const total = this.#dropped + lines.length;
    const firstLine = total - shown.length + 1;
    const lastLinePartial = isPartial || shown.some((line) => line.cut);
    const isCut = firstLine > 1 || lastLinePartial;
    return {
      text,
      firstLine,
      lastLine: total,
      truncation: isCut ? this.#truncation(text, shown.length, lastLinePartial) : undefined,
    };
  }

  #truncation(text: string, outputLines: number, lastLinePartial: boolean): Truncation {
    return {
      truncated: true,
      truncatedBy: outputLines === this.#limits.maxLines ? "lines" : "bytes",
      totalLines: this.#dropped + this.#lines.length + (this.#current === "" ? 0 : 1),
      totalBytes: this.#totalBytes,
      outputLines,
      outputBytes: byteLength(text),
      lastLinePartial,
      ...this.#limits,
    };
  }

  #currentLine() {
    return { text: this.#current, bytes: byteLength(this.#current), cut: this.#currentCut };
  }

  #extend(text: string): void {
    this.#current += text;
    // Only the last `maxBytes` of a line can ever be shown.
    if (this.#current.length <= 4 * this.#limits.maxBytes) return;
    this.#current = lastBytes(this.#current, this.#limits.maxBytes);
    this.#currentCut = true;
  }

  #finishLine(): void {
    const line = this.#currentLine();
    this.#lines.push(line);
    this.#linesBytes += line.bytes + 1;
    this.#current = "";
    this.#currentCut = false;
    // Dropping in batches keeps the cost of a long output linear.
    if (this.#lines.length > 2 * this.#limits.maxLines || this.#linesBytes > 4 * this.#limits.maxBytes)
      this.#drop();
  }

  /** Drops lines that can no longer be shown. */
  #drop(): void {
    let bytes = 0;
    let start = this.#lines.length;
    while (
      start > 0 &&
      this.#lines.length - start < this.#limits.maxLines &&
      bytes <= this.#limits.maxBytes
    ) {
      start--;
      bytes += (this.#lines[start]?.bytes ?? 0) + 1;
    }
    this.#dropped += start;
    this.#lines = this.#lines.slice(start);
    this.#linesBytes = bytes;
  }
}
