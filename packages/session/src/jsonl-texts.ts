import { SESSION_VERSION } from "./entry.ts";
import { type ByteRange, type PageSource, pageBefore, readStretch, readWholeJsonl } from "./jsonl-page.ts";
import { readChunk } from "./lines.ts";
import type { StoredPage } from "./storage.ts";
import { TextFilter } from "./text-filter.ts";

interface KnownPage {
  readonly start: number;
  /** Absent where text is written in escapes, which the bytes do not show. */
  readonly filter: TextFilter | undefined;
}

/** Escapes other than those of control characters and lone surrogates: some writers escape letters, too. */
const LETTER_ESCAPE = /\\u(?!00[01]|d[89a-f])/;

/**
 * What the pages of one file hold, as far as searches have read them: a later search passes over pages that cannot hold
 * what it looks for. Eight KiB of memory for 64 KiB of file; it is only ever right about pages that no longer change.
 */
export class JsonlTexts {
  /** By the end of the page. */
  readonly #pages = new Map<number, KnownPage>();

  /** The newest page that ends at `before` or earlier and may hold the text. */
  async readPageWith(source: PageSource, text: string, before: number | undefined): Promise<StoredPage> {
    if (source.header.version < SESSION_VERSION) return readWholeJsonl(source);
    const piece = Buffer.from(plainPiece(text));
    const latin = piece.toString("latin1").toLowerCase();
    const size = await source.file.size();
    let end = before ?? size;
    for (;;) {
      const known = this.#pages.get(end);
      const range: ByteRange =
        known === undefined ? await pageBefore(source, end) : { start: known.start, end };
      const isFirst = range.start <= source.headerEnd;
      const isPassed =
        known?.filter?.mayHold(piece) === false || !(await this.#holds(source, range, latin, size));
      if (!isPassed || isFirst) return this.#page(source, range, isPassed);
      end = range.start;
    }
  }

  async #holds(source: PageSource, range: ByteRange, latin: string, size: number): Promise<boolean> {
    const bytes = await readChunk(source.file, range.start, range.end - range.start);
    const text = bytes.toString("latin1").toLowerCase();
    const known = this.#pages.get(range.end);
    const isEscaped = known === undefined ? LETTER_ESCAPE.test(text) : known.filter === undefined;
    if (range.end < size && known === undefined) {
      const filter = isEscaped ? undefined : new TextFilter(bytes);
      this.#pages.set(range.end, { start: range.start, filter });
    }
    return isEscaped || text.includes(latin);
  }

  async #page(source: PageSource, range: ByteRange, isPassed: boolean): Promise<StoredPage> {
    if (!isPassed) return readStretch(source, range, undefined);
    return { items: [], start: 0, end: range.end, diagnostics: [] };
  }
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
