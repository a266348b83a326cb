import type { DecodedLine } from "./codec.ts";
import type { FilePlace, SessionDiagnostic } from "./diagnostic.ts";
import { SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { afterLine, type FileLine, readLineBatches } from "./lines.ts";
import { lineDecoder } from "./migrate.ts";
import { decodeOutlineLine } from "./outline-line.ts";
import type { SessionFile } from "./session-files.ts";
import type { PageRange, StoredItem, StoredPage } from "./storage.ts";

/** Pages read backwards start with the first line after a multiple of this, so that they stay the same as a file grows. */
const PAGE_BYTES = 64 * 1024;
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
    const stretch = await pageBefore(source, range.before, range.isBrief === true ? PAGE_BYTES : LARGE_BYTES);
    return readStretch(source, stretch, undefined);
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

type BytesDecoder = (line: Buffer) => DecodedLine;

function wholeLines(header: SessionHeader): BytesDecoder {
  const decode = lineDecoder(header);
  return (line) => decode(line.toString("utf8"));
}

/** The lines of a stretch. Line numbers are known from the header on, and where the first one is given. */
export async function readStretch(
  { file, header, headerEnd }: PageSource,
  { start, end }: ByteRange,
  line: number | undefined,
  decode: BytesDecoder = wholeLines(header),
): Promise<StoredPage> {
  const isFirst = start === headerEnd;
  const reader = new PageReader(decode, isFirst ? 2 : line);
  for await (const lines of readLineBatches(file, start, end))
    for (const fileLine of lines) reader.take(fileLine);
  return {
    items: reader.items,
    start: isFirst ? 0 : start,
    end,
    ...(reader.line === undefined ? {} : { endLine: reader.line }),
    diagnostics: isFirst ? [...versionDiagnostics(header), ...reader.diagnostics] : reader.diagnostics,
  };
}

/** Where the page that ends at `before` (default: the end of the file) lies. */
async function pageBefore(
  { file, headerEnd }: PageSource,
  before: number | undefined,
  pageBytes: number,
): Promise<ByteRange> {
  const end = before ?? (await file.size());
  for (let from = Math.floor((end - 1) / pageBytes) * pageBytes; from > headerEnd; from -= pageBytes) {
    const start = await afterLine(file, from - 1, Math.min(from + pageBytes, end) - 1);
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

class PageReader {
  readonly items: StoredItem[] = [];
  readonly diagnostics: SessionDiagnostic[] = [];
  readonly #decode: BytesDecoder;
  /** Number of the next line, where it is known. */
  line: number | undefined;

  constructor(decode: BytesDecoder, firstLine: number | undefined) {
    this.#decode = decode;
    this.line = firstLine;
  }

  take({ bytes, byteOffset }: FileLine): void {
    const place: FilePlace = {
      ...(this.line === undefined ? {} : { line: this.line }),
      byteOffset,
      byteLength: bytes.length,
    };
    if (this.line !== undefined) this.line++;
    this.#keep(this.#decode(bytes), place);
  }

  #keep(decoded: DecodedLine, place: FilePlace): void {
    if (decoded.kind === "blank") return;
    if (decoded.kind === "unreadable") {
      this.items.push({ kind: "damage", damage: decoded, place });
      this.#report("unreadable_line", decoded.reason, place);
      return;
    }
    if (decoded.kind === "fused") {
      this.items.push({ kind: "damage", damage: { kind: "unreadable", reason: decoded.reason }, place });
      this.#report("fused_line", decoded.reason, place);
    }
    this.items.push({ kind: "entry", entry: decoded.entry, at: place.byteOffset });
  }

  #report(code: "unreadable_line" | "fused_line", reason: string, place: FilePlace): void {
    const where = place.line === undefined ? `At byte ${place.byteOffset}` : `Line ${place.line}`;
    this.diagnostics.push({ code, message: `${where}: ${reason}. The bytes stay in the file.`, ...place });
  }
}
