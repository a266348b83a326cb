import { createHash } from "node:crypto";
import { type DecodedLine, decodeLine, missingField, toEntry } from "./codec.ts";
import type { AnyEntry, SessionHeader } from "./entry.ts";

/** Decodes the entry lines of one file in order; an old version's lines come out as version 3. */
export type LineDecoder = (line: string) => DecodedLine;

/** The decoder for a file's version. Migration is deterministic: reading twice gives the same ids. */
export function lineDecoder(header: SessionHeader): LineDecoder {
  if (header.version >= 3) return decodeLine;
  const version1 = header.version < 2 ? new VersionOneIds(header.id) : undefined;
  return (line) => {
    const decoded = version1 === undefined ? decodeLine(line) : version1.decode(line);
    return decoded.kind === "entry" ? { ...decoded, entry: renameHookRole(decoded.entry) } : decoded;
  };
}

/** Version 2 called the role of extension messages `hookMessage`. */
function renameHookRole(entry: AnyEntry): AnyEntry {
  const message = (entry as { readonly message?: { readonly role?: string } }).message;
  if (entry.type !== "message" || message?.role !== "hookMessage") return entry;
  return { ...entry, message: { ...message, role: "custom" } } as AnyEntry;
}

/**
 * Version 1 was linear: entries had no ids, and a compaction named the first kept entry by its index among the lines,
 * the header being 0.
 */
class VersionOneIds {
  readonly #sessionId: string;
  readonly #ids: (string | undefined)[] = [undefined];
  #parentId: string | null = null;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  decode(line: string): DecodedLine {
    const value = parseObject(line);
    if (value === undefined) return decodeLine(line);
    const index = this.#ids.length;
    const id = typeof value.id === "string" && value.id !== "" ? value.id : this.#idOf(index);
    const fields = { ...withKeptId(value, this.#ids), id, parentId: this.#parentId };
    const missing = missingField(fields);
    this.#ids.push(missing === undefined ? id : undefined);
    if (missing !== undefined) return { kind: "unreadable", reason: `no ${missing}` };
    this.#parentId = id;
    return { kind: "entry", entry: toEntry(fields) };
  }

  #idOf(index: number): string {
    return createHash("sha256").update(`${this.#sessionId}:${index}`).digest("hex").slice(0, 16);
  }
}

function withKeptId(
  value: Readonly<Record<string, unknown>>,
  ids: readonly (string | undefined)[],
): Readonly<Record<string, unknown>> {
  const { firstKeptEntryIndex, ...rest } = value;
  if (typeof firstKeptEntryIndex !== "number") return value;
  const firstKeptEntryId = ids[firstKeptEntryIndex];
  return firstKeptEntryId === undefined ? value : { ...rest, firstKeptEntryId };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(line.replace(/^\uFEFF/, "")) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
