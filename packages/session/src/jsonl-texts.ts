import { SESSION_VERSION } from "./entry.ts";
import { type ByteRange, type PageSource, readStretch, readWholeJsonl } from "./jsonl-page.ts";
import { afterLine, lineStart, readInto } from "./lines.ts";
import type { StoredPage } from "./storage.ts";
import {
  ALL_BLOCKS,
  BLOCK_BYTES,
  FILTERED_BYTES,
  groupsOf,
  OVERLAP_BYTES,
  TextFilter,
} from "./text-filter.ts";

/** `"escaped"`: text is written in escapes there, which the bytes do not show. */
type Known = TextFilter | "escaped";

/** The longest of some texts in a file, what is known of the others, and the buffer to read in. */
interface Wanted {
  readonly source: PageSource;
  readonly size: number;
  readonly buffer: Buffer;
  /** Lower-cased, a character a byte. */
  readonly latin: string;
  /** Finds it in upper and lower case: a third of the cost of changing the case of what is looked through. */
  readonly pattern: RegExp;
  readonly groups: readonly number[];
  /** Groups of each other text, which must begin in the same block or beside it. */
  readonly near: readonly (readonly number[])[];
}

/** What lies beside these blocks is in another stretch. */
const EDGE_BLOCKS = (1 << 31) | 1;
const BUFFER_BYTES = FILTERED_BYTES + OVERLAP_BYTES;
/** Escapes other than those of control characters and lone surrogates: some writers escape letters, too. */
const LETTER_ESCAPE = /\\u(?!00[01]|d[89a-f])/i;

/**
 * What 128 KiB stretches of one file hold, as far as searches have read them: a later search reads only the blocks of
 * four KiB that may hold what it looks for. An eighth of the file in memory; right about bytes that no longer change.
 */
export class JsonlTexts {
  /** By the number of the stretch. */
  readonly #known: (Known | undefined)[] = [];
  #spare: Buffer | undefined;

  /** Drops what is known of the bytes from `end` on: they are taken back. */
  forgetFrom(end: number): void {
    this.#known.length = Math.min(
      this.#known.length,
      Math.floor(Math.max(0, end - OVERLAP_BYTES) / FILTERED_BYTES),
    );
  }

  /** The newest lines that end at `before` or earlier and may hold the texts near one another: one, or neighbours. */
  async readPageWith(
    source: PageSource,
    texts: readonly string[],
    before: number | undefined,
  ): Promise<StoredPage> {
    if (source.header.version < SESSION_VERSION) return readWholeJsonl(source);
    const size = await source.file.size();
    const end = before ?? size;
    const pieces = texts.map((text) => Buffer.from(plainPiece(text)).subarray(0, OVERLAP_BYTES));
    const [piece = Buffer.alloc(0), ...others] = pieces.sort((a, b) => b.length - a.length);
    const near = others.map(groupsOf);
    const latin = piece.toString("latin1").toLowerCase();
    const pattern = new RegExp(escaped(piece.toString("latin1")), "i");
    const groups = groupsOf(piece);
    const found = await this.#withBuffer((buffer) =>
      this.#findBefore(end, { source, size, buffer, latin, pattern, groups, near }),
    );
    if (found === undefined) return { items: [], start: 0, end, diagnostics: [] };
    return readStretch(source, await linesAround(source, found, end), undefined);
  }

  /** Reads every stretch that no search has read yet, so that the next one reads no more than later ones. */
  async learn(source: PageSource): Promise<void> {
    if (source.header.version < SESSION_VERSION) return;
    const size = await source.file.size();
    await this.#withBuffer(async (buffer) => {
      for (let number = Math.floor((size - 1) / FILTERED_BYTES); number >= 0; number--) {
        if (this.#known[number] === undefined) await this.#learn(number, { source, size, buffer });
      }
    });
  }

  /** One buffer for calls one after another; those at the same time get others. */
  async #withBuffer<Result>(work: (buffer: Buffer) => Promise<Result>): Promise<Result> {
    const buffer = this.#spare ?? Buffer.allocUnsafe(BUFFER_BYTES);
    this.#spare = undefined;
    try {
      return await work(buffer);
    } finally {
      this.#spare = buffer;
    }
  }

  async #findBefore(end: number, wanted: Wanted): Promise<ByteRange | undefined> {
    for (let number = Math.floor((end - 1) / FILTERED_BYTES); number >= 0; number--) {
      const found = await this.#findIn(number, end, wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #findIn(number: number, end: number, wanted: Wanted): Promise<ByteRange | undefined> {
    const from = number * FILTERED_BYTES;
    const start = Math.max(from, wanted.source.headerEnd);
    const stretch = { start, end: Math.min(from + FILTERED_BYTES, end) };
    if (start >= stretch.end) return undefined;
    const known = this.#known[number] ?? (await this.#learn(number, wanted));
    if (known === "escaped") return stretch;
    const blocks = known === undefined ? ALL_BLOCKS : blocksOf(known, wanted);
    for (const run of runsBackwards(blocks, from)) {
      const range = { start: Math.max(run.start, start), end: Math.min(run.end, stretch.end) };
      const found = range.start < range.end ? await placesIn(range, end, wanted) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Reads a stretch for the first time; one that may still change is read each time. */
  async #learn(
    number: number,
    { source, size, buffer }: Pick<Wanted, "source" | "size" | "buffer">,
  ): Promise<Known | undefined> {
    const start = number * FILTERED_BYTES;
    const bytes = await readInto(source.file, buffer.subarray(0, size - start), start);
    const isEscaped = bytes.includes("\\u") && LETTER_ESCAPE.test(bytes.toString("latin1"));
    if (bytes.length < BUFFER_BYTES) return isEscaped ? "escaped" : undefined;
    const known = isEscaped ? "escaped" : new TextFilter(bytes);
    this.#known[number] = known;
    return known;
  }
}

/** A pattern for a text of which a character is a byte. */
function escaped(latin: string): string {
  return [...latin].map((byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
}

/** The blocks in which the text may begin, with the others in the same block or beside it. */
function blocksOf(filter: TextFilter, { groups, near }: Wanted): number {
  let blocks = filter.blocksWith(groups);
  for (const other of near) {
    if (blocks === 0) return 0;
    const held = filter.blocksWith(other);
    blocks &= held | (held << 1) | (held >>> 1) | EDGE_BLOCKS;
  }
  return blocks;
}

/** Runs of neighbouring blocks, the last first. */
function* runsBackwards(blocks: number, start: number): Generator<ByteRange> {
  for (let block = 31; block >= 0; block--) {
    if (((blocks >>> block) & 1) === 0) continue;
    const last = block;
    while (block > 0 && ((blocks >>> (block - 1)) & 1) === 1) block--;
    yield { start: start + block * BLOCK_BYTES, end: start + (last + 1) * BLOCK_BYTES };
  }
}

/** From the first place where the text begins in a range to the last one; the text may reach beyond it, up to `end`. */
async function placesIn(
  range: ByteRange,
  end: number,
  { source, buffer, latin, pattern }: Wanted,
): Promise<ByteRange | undefined> {
  const length = Math.min(range.end + latin.length, end) - range.start;
  const bytes = await readInto(source.file, buffer.subarray(0, length), range.start);
  const text = bytes.toString("latin1");
  const first = text.search(pattern);
  if (first === -1 || first >= range.end - range.start) return undefined;
  return { start: range.start + first, end: range.start + text.toLowerCase().lastIndexOf(latin) + 1 };
}

async function linesAround(
  { file, headerEnd }: PageSource,
  range: ByteRange,
  end: number,
): Promise<ByteRange> {
  return {
    start: await lineStart(file, range.start, headerEnd),
    end: (await afterLine(file, Math.min(range.end, end - 1), end)) ?? end,
  };
}

/**
 * The longest piece of a text that stands in a file as it is, apart from the case of ASCII letters: no characters that
 * JSON escapes or may escape, no letters whose other case has other bytes.
 */
function plainPiece(text: string): string {
  let best = "";
  let piece = "";
  for (const character of text.toLowerCase()) {
    piece = isPlain(character) ? piece + character : "";
    if (piece.length > best.length) best = piece;
  }
  return best;
}

function isPlain(character: string): boolean {
  if (character === '"' || character === "\\" || character === "/" || character < " ") return false;
  return character <= "~" || character.toLowerCase() === character.toUpperCase();
}
