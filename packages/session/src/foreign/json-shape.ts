import type { ImageContent, TextContent } from "@coppice/ai";

export type JsonRecord = Readonly<Record<string, unknown>>;

const EMPTY: JsonRecord = {};

/** The value where it is an object and no list, or an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : EMPTY;
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; none for anything else. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The value where it is text. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value where it is a count, or 0. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Unix milliseconds of an ISO 8601 text. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** The object that a JSON text holds; undefined for anything else. */
export function parsedRecord(json: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Text blocks of a text; none for an empty one. */
export function textBlocks(text: string): readonly TextContent[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** An image from base64 data and its type; none where either is missing. */
export function imageBlocks(data: unknown, mimeType: unknown): readonly ImageContent[] {
  return typeof data === "string" && typeof mimeType === "string" ? [{ type: "image", data, mimeType }] : [];
}
