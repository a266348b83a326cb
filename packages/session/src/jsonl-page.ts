import type { DecodedLine } from "./codec.ts";
import type { FilePlace, SessionDiagnostic } from "./diagnostic.ts";
import { SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { type FileLine, readChunk, readLines } from "./lines.ts";
import { type LineDecoder, lineDecoder } from "./migrate.ts";
import type { SessionFile } from "./session-files.ts";
import type { StoredItem, StoredPage } from "./storage.ts";

const PAGE_BYTES = 256 * 1024;
const LF = 10;

/** One page of a session file; old versions are always read whole, because their entries depend on their order. */
export async function readJsonlPage(
  file: SessionFile,
  header: SessionHeader,
  headerEnd: number,
  before: number | "whole" | undefined,
): Promise<StoredPage> {
  const size = await file.size();
  const isWhole = before === "whole" || header.version < SESSION_VERSION;
  const end = typeof before === "number" && !isWhole ? before : size;
  const start = isWhole ? headerEnd : await pageStart(file, headerEnd, end);
  const reader = new PageReader(lineDecoder(header), start === headerEnd ? 2 : undefined);
  for await (const line of readLines(file, start, end)) reader.take(line);
  return {
    items: reader.items,
    start: start === headerEnd ? 0 : start,
    end,
    diagnostics:
      start === headerEnd ? [...versionDiagnostics(header), ...reader.diagnostics] : reader.diagnostics,
  };
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

/** The start of a line, about a page before `end`; further away where one line is longer than a page. */
async function pageStart(file: SessionFile, headerEnd: number, end: number): Promise<number> {
  for (let size = PAGE_BYTES; ; size *= 2) {
    const from = end - size;
    if (from <= headerEnd) return headerEnd;
    const chunk = await readChunk(file, from, Math.min(size, PAGE_BYTES));
    const at = chunk.indexOf(LF);
    if (at !== -1 && from + at + 1 < end) return from + at + 1;
  }
}

class PageReader {
  readonly items: StoredItem[] = [];
  readonly diagnostics: SessionDiagnostic[] = [];
  readonly #decode: LineDecoder;
  #line: number | undefined;

  constructor(decode: LineDecoder, firstLine: number | undefined) {
    this.#decode = decode;
    this.#line = firstLine;
  }

  take({ bytes, byteOffset }: FileLine): void {
    const place: FilePlace = {
      ...(this.#line === undefined ? {} : { line: this.#line }),
      byteOffset,
      byteLength: bytes.length,
    };
    if (this.#line !== undefined) this.#line++;
    this.#keep(this.#decode(bytes.toString("utf8")), place);
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
    this.items.push({ kind: "entry", entry: decoded.entry });
  }

  #report(code: "unreadable_line" | "fused_line", reason: string, place: FilePlace): void {
    const where = place.line === undefined ? `At byte ${place.byteOffset}` : `Line ${place.line}`;
    this.diagnostics.push({ code, message: `${where}: ${reason}. The bytes stay in the file.`, ...place });
  }
}
