import type { Scratch, ScratchFile } from "../../env/environment.ts";
import { ScreenText } from "../../text/screen-text.ts";
import { type Tail, TailBuffer } from "../../text/tail-buffer.ts";
import type { OutputLimits } from "../../text/truncate.ts";

export interface CommandOutputOptions {
  readonly limits: OutputLimits;
  /** Absent: what does not fit is lost, and the notice says so. */
  readonly scratch: Scratch | undefined;
  /** Name of the file for the full output. */
  readonly fileName: string;
}

export interface FinishedOutput extends Tail {
  /** Set when something was cut and the whole is in that file. */
  readonly fullOutputPath: string | undefined;
}

/**
 * Output of a running command: its cleaned end in memory, and every raw byte in a file once it is too long to show.
 */
export class CommandOutput {
  readonly #options: CommandOutputOptions;
  readonly #tail: TailBuffer;
  readonly #screen: ScreenText;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Raw bytes not yet in the file; undefined once the file has them. */
  #early: Uint8Array[] | undefined = [];
  #earlyBytes = 0;
  #earlyLines = 0;
  #file: Promise<ScratchFile | undefined> | undefined;

  constructor(options: CommandOutputOptions) {
    this.#options = options;
    this.#tail = new TailBuffer(options.limits);
    this.#screen = new ScreenText(this.#tail);
  }

  /** Resolves when the bytes are kept; undefined when there was nothing to wait for. */
  push(chunk: Uint8Array): Promise<void> | undefined {
    this.#screen.push(this.#decoder.decode(chunk, { stream: true }));
    if (this.#early === undefined) return this.#append(chunk);
    // The caller may use its buffer again.
    this.#early.push(Uint8Array.from(chunk));
    this.#earlyBytes += chunk.length;
    this.#earlyLines += countLineFeeds(chunk);
    const { maxBytes, maxLines } = this.#options.limits;
    return this.#earlyBytes > maxBytes || this.#earlyLines >= maxLines ? this.#spill() : undefined;
  }

  tail(): Tail {
    return this.#tail.tail();
  }

  /** Call once at the end. */
  async finish(): Promise<FinishedOutput> {
    this.#screen.push(this.#decoder.decode());
    const tail = this.#tail.tail();
    if (tail.truncation !== undefined && this.#file === undefined) await this.#spill();
    const file = await this.#file;
    await file?.close();
    return { ...tail, fullOutputPath: tail.truncation === undefined ? undefined : file?.path };
  }

  async #spill(): Promise<void> {
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#file = this.#open(early);
    await this.#file;
  }

  /** A full disk must not fail the command: without a file only the end is kept. */
  async #open(early: readonly Uint8Array[]): Promise<ScratchFile | undefined> {
    try {
      const file = await this.#options.scratch?.create(this.#options.fileName);
      await file?.append(Buffer.concat(early));
      return file;
    } catch {
      return undefined;
    }
  }

  /** Chunks are appended in order; after a failed append the file is not whole and is given up. */
  #append(chunk: Uint8Array): Promise<void> {
    const copy = Uint8Array.from(chunk);
    const before = this.#file ?? Promise.resolve(undefined);
    this.#file = before.then(async (file) => {
      try {
        await file?.append(copy);
        return file;
      } catch {
        await file?.close().catch(() => undefined);
        return undefined;
      }
    });
    return this.#file.then(() => undefined);
  }
}

function countLineFeeds(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}
