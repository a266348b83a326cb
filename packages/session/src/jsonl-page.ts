import type { DecodedLine } from "./codec.ts";
import type { FilePlace, SessionDiagnostic } from "./diagnostic.ts";
import { SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { afterLine, LF, linesOf, readChunk, readLineBatches } from "./lines.ts";
import { lineDecoder } from "./migrate.ts";
import { decodeOutlineLine } from "./outline-line.ts";
import type { SessionFile } from "./session-files.ts";
import type { PageRange, StoredItem, StoredPage } from "./storage.ts";

/** Pages read backwards start with the first line after a multiple of this, so that they stay the same as a file grows. */
const PAGE_BYTES = 64 * 1024;
/** Page starts that are tried with a read of the whole page. */
const NEAR_STARTS = 2;
const LARGE_BYTES = 1024 * 1024;
/** Without what entries hold, a page of this size is small. */
const OUTLINE_BYTES = 8 * 1024 * 1024;
/** Pages read forwards are let go one by one: what fits a young generation costs least. */
const FORWARD_BYTES = 128 * 1024;

/** An open session file. */
export interface PageSource {
  readonly file: SessionFile;
  readonly header: SessionHeader;
  /** Where the entries start. */
  readonly headerEnd: number;
}

/** A stretch of bytes that begins and ends with whole lines. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One page of a session file; old versions are always read whole, because their entries depend on their order. */
export async function readJsonlPage(source: PageSource, range: PageRange): Promise<StoredPage> {
  if (source.header.version < SESSION_VERSION) {
    if ((range.after ?? 0) === 0) return readWholeJsonl(source);
    return readStretch(source, { start: range.after ?? 0, end: range.after ?? 0 }, undefined);
  }
  if (range.after === undefined) {
    return readBackwards(source, range.before, range.isBrief === true ? PAGE_BYTES : LARGE_BYTES);
  }
  const start = Math.max(range.after, source.headerEnd);
  const size = await source.file.size();
  const end = await lineEnd(source.file, Math.min(size, start + forwardBytes(range)), size);
  return readStretch(
    source,
    { start, end },
    range.line,
    range.isOutline === true ? decodeOutlineLine : undefined,
  );
}

function forwardBytes({ isBrief, isOutline }: PageRange): number {
  if (isBrief === true) return PAGE_BYTES;
  return isOutline === true ? OUTLINE_BYTES : FORWARD_BYTES;
}

/** Everything in one page. */
export async function readWholeJsonl(source: PageSource): Promise<StoredPage> {
  return readStretch(source, { start: source.headerEnd, end: await source.file.size() }, undefined);
}

/**
 * The page that ends at `before` (default: the end of the file). It starts with the first line after a multiple of
 * `pageBytes`, the nearest one after which a line starts; mostly that is the last one, or for a page that ends where
 * another starts, the one before.
 */
async function readBackwards(
  source: PageSource,
  before: number | undefined,
  pageBytes: number,
): Promise<StoredPage> {
  const { file, headerEnd } = source;
  const end = before ?? (await file.size());
  let from = Math.floor((end - 1) / pageBytes) * pageBytes;
  for (let tries = 0; tries < NEAR_STARTS && from > headerEnd; tries++, from -= pageBytes) {
    // With the byte before, which tells whether a line starts here.
    const bytes = await readChunk(file, from - 1, end - from + 1);
    const begin = bytes.indexOf(LF) + 1;
    if (begin > 0 && begin < bytes.length) return pageOf(source, bytes.subarray(begin), from - 1 + begin);
  }
  if (from > headerEnd)
    return readStretch(source, await longLinesBefore(source, end, from, pageBytes), undefined);
  return pageOf(source, await readChunk(file, headerEnd, Math.max(0, end - headerEnd)), headerEnd);
}

/** The page of lines that stand at `start`. */
function pageOf(source: PageSource, bytes: Buffer, start: number): StoredPage {
  const reader = new PageReader(start === source.headerEnd ? 2 : undefined);
  const decode = lineDecoder(source.header);
  const text = bytes.toString("utf8");
  if (text.length === bytes.length) {
    // Each character is a byte: one text is cut into lines at less than half of what it costs to make many texts.
    let byteOffset = start;
    for (const line of text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n")) {
      reader.take(decode(line), byteOffset, line.length);
      byteOffset += line.length + 1;
    }
  } else {
    for (const line of linesOf(bytes, start)) {
      reader.take(decode(line.bytes.toString("utf8")), line.byteOffset, line.bytes.length);
    }
  }
  return reader.page(source, { start, end: start + bytes.length });
}

type BytesDecoder = (line: Buffer) => DecodedLine;

function wholeLines(header: SessionHeader): BytesDecoder {
  const decode = lineDecoder(header);
  return (line) => decode(line.toString("utf8"));
}

/** The lines of a stretch. Line numbers are known from the header on, and where the first one is given. */
export async function readStretch(
  source: PageSource,
  stretch: ByteRange,
  line: number | undefined,
  decode: BytesDecoder = wholeLines(source.header),
): Promise<StoredPage> {
  const reader = new PageReader(stretch.start === source.headerEnd ? 2 : line);
  for await (const lines of readLineBatches(source.file, stretch.start, stretch.end))
    for (const { bytes, byteOffset } of lines) reader.take(decode(bytes), byteOffset, bytes.length);
  return reader.page(source, stretch);
}

/** Where the page lies whose last line starts somewhere before `from`. */
async function longLinesBefore(
  { file, headerEnd }: PageSource,
  end: number,
  from: number,
  pageBytes: number,
): Promise<ByteRange> {
  for (let at = from; at > headerEnd; at -= pageBytes) {
    const start = await afterLine(file, at - 1, at + pageBytes - 1);
    if (start !== undefined) return { start, end };
  }
  return { start: headerEnd, end };
}

/** The end of the line that `from` lies in, or the end of the file. */
async function lineEnd(file: SessionFile, from: number, size: number): Promise<number> {
  return from >= size ? size : ((await afterLine(file, from - 1, size)) ?? size);
}

function versionDiagnostics(header: SessionHeader): readonly SessionDiagnostic[] {
  if (header.version === SESSION_VERSION) return [];
  return header.version > SESSION_VERSION
    ? [{ code: "newer_version", message: `The session has the newer version ${header.version}.` }]
    : [
        {
          code: "migrated",
          message: `The session has version ${header.version} and is read as ${SESSION_VERSION}.`,
        },
      ];
}

/** Collects the lines of a page. */
class PageReader {
  readonly #items: StoredItem[] = [];
  readonly #diagnostics: SessionDiagnostic[] = [];
  /** Number of the next line, where it is known. */
  #line: number | undefined;

  constructor(firstLine: number | undefined) {
    this.#line = firstLine;
  }

  take(decoded: DecodedLine, byteOffset: number, byteLength: number): void {
    if (decoded.kind === "unreadable" || decoded.kind === "fused") {
      this.#keepDamage(decoded, byteOffset, byteLength);
    }
    if (decoded.kind === "entry" || decoded.kind === "fused") {
      this.#items.push({ kind: "entry", entry: decoded.entry, at: byteOffset });
    }
    if (this.#line !== undefined) this.#line++;
  }

  /** What was taken, as the page that a stretch is. */
  page({ header, headerEnd }: PageSource, { start, end }: ByteRange): StoredPage {
    const isFirst = start === headerEnd;
    return {
      items: this.#items,
      start: isFirst ? 0 : start,
      end,
      ...(this.#line === undefined ? {} : { endLine: this.#line }),
      diagnostics: isFirst ? [...versionDiagnostics(header), ...this.#diagnostics] : this.#diagnostics,
    };
  }

  #keepDamage(
    decoded: Exclude<DecodedLine, { kind: "blank" | "entry" }>,
    byteOffset: number,
    byteLength: number,
  ): void {
    const { kind, reason } = decoded;
    const place: FilePlace = {
      ...(this.#line === undefined ? {} : { line: this.#line }),
      byteOffset,
      byteLength,
    };
    const damage = kind === "fused" ? { kind: "unreadable" as const, reason } : decoded;
    this.#items.push({ kind: "damage", damage, place });
    const where = this.#line === undefined ? `At byte ${byteOffset}` : `Line ${this.#line}`;
    const code = kind === "fused" ? "fused_line" : "unreadable_line";
    this.#diagnostics.push({ code, message: `${where}: ${reason}. The bytes stay in the file.`, ...place });
  }
}
