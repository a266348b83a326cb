import { type AnyEntry, type EntryType, SESSION_VERSION, type SessionHeader } from "./entry.ts";

/** What one line of a session file turned out to be. */
export type DecodedLine =
  | { readonly kind: "blank" }
  | { readonly kind: "entry"; readonly entry: AnyEntry }
  /** An entry that follows torn bytes on the same physical line. */
  | { readonly kind: "fused"; readonly entry: AnyEntry; readonly reason: string }
  | UnreadableLine;

/** A line that holds no entry. What could still be made out of its id and parent helps to bridge over it. */
export interface UnreadableLine {
  readonly kind: "unreadable";
  readonly reason: string;
  readonly id?: string;
  readonly parentId?: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isString = (value: unknown): value is string => typeof value === "string";

/** The fields without which an entry of a kind means nothing; the others may be missing in foreign files. */
const REQUIRED: Readonly<Record<EntryType, (fields: Fields) => string | undefined>> = {
  message: (f) => (isObject(f.message) && isString(f.message.role) ? undefined : "message with a role"),
  compaction: (f) => need(f, "summary"),
  branch_summary: (f) => need(f, "summary"),
  custom_message: (f) => need(f, "customType"),
  custom: (f) => need(f, "customType"),
  context_edit: (f) =>
    need(f, "targetId") ?? (f.replacement === null || isObject(f.replacement) ? undefined : "replacement"),
  leaf: (f) => (f.targetId === null || isString(f.targetId) ? undefined : "targetId"),
  model_change: (f) => need(f, "provider") ?? need(f, "modelId"),
  thinking_level_change: (f) => need(f, "thinkingLevel"),
  active_tools_change: (f) =>
    Array.isArray(f.activeToolNames) && f.activeToolNames.every(isString) ? undefined : "activeToolNames",
  usage: (f) => (isObject(f.usage) ? undefined : "usage"),
  label: (f) => need(f, "targetId"),
  session_info: () => undefined,
};

function need(fields: Fields, key: string): string | undefined {
  return isString(fields[key]) ? undefined : key;
}

/** What a parsed value lacks to be an entry, or undefined when it is one. */
export function missingField(value: unknown): string | undefined {
  if (!isObject(value)) return "fields";
  const { type, id, parentId } = value;
  if (!isString(type)) return "type";
  if (!isString(id) || id === "") return "id";
  if (!isString(parentId) && parentId !== undefined && parentId !== null) return "parentId";
  return Object.hasOwn(REQUIRED, type) ? REQUIRED[type as EntryType](value) : undefined;
}

/** A parsed value as an entry: an absent or empty parent is null, an absent time the message's own. */
export function toEntry(value: Fields): AnyEntry {
  const parentId = isString(value.parentId) && value.parentId !== "" ? value.parentId : null;
  if (value.parentId === parentId && isString(value.timestamp)) return value as AnyEntry;
  const ms =
    isObject(value.message) && typeof value.message.timestamp === "number" ? value.message.timestamp : 0;
  const timestamp = isString(value.timestamp) ? value.timestamp : isoTime(ms);
  return { ...value, parentId, timestamp } as AnyEntry;
}

/** ISO 8601 with milliseconds; a time outside what a date can hold is the epoch. */
export function isoTime(ms: number): string {
  return new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString();
}

/** Reads one line without its LF. Never throws. A leading BOM, a trailing CR and NUL runs around it are tolerated. */
export function decodeLine(line: string): DecodedLine {
  const text = trimLine(line);
  if (text === "")
    return line.includes("\0") ? { kind: "unreadable", reason: "NUL bytes" } : { kind: "blank" };
  const value = parse(text);
  if (value !== undefined) {
    const missing = missingField(value);
    if (missing === undefined) return { kind: "entry", entry: toEntry(value as Fields) };
    return { kind: "unreadable", reason: `no ${missing}`, ...legibleIds(text) };
  }
  const entry = fusedEntry(text);
  if (entry !== undefined) return { kind: "fused", entry, reason: "torn bytes before an entry" };
  return { kind: "unreadable", reason: "not JSON", ...legibleIds(text) };
}

function trimLine(line: string): string {
  if (line.startsWith("{") && line.endsWith("}")) return line;
  let start = 0;
  let end = line.length;
  while (start < end && isPadding(line.charCodeAt(start))) start++;
  while (end > start && isPadding(line.charCodeAt(end - 1))) end--;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}

/** NUL, tab, CR, space, BOM: what may surround a record without being part of it. */
function isPadding(code: number): boolean {
  return code === 0 || code === 9 || code === 13 || code === 32 || code === 0xfeff;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An entry's first keys; blocks inside messages have camel-case types or no id, and inside strings quotes are escaped. */
const ENTRY_START = /\{"type":"[a-z_]+","id":"/g;

function fusedEntry(text: string): AnyEntry | undefined {
  for (const match of text.matchAll(ENTRY_START)) {
    if (match.index === 0) continue;
    const value = parse(text.slice(match.index));
    if (value !== undefined && missingField(value) === undefined) return toEntry(value as Fields);
  }
  return undefined;
}

/** Ids stand in the first characters of a line; the head is all that is looked at. */
const HEAD_CHARS = 400;

function legibleIds(text: string): { id?: string; parentId?: string | null } {
  const head = text.slice(0, HEAD_CHARS);
  const id = /"id":"([^"\\]{1,100})"/.exec(head)?.[1];
  const parent = /"parentId":(?:"([^"\\]{0,100})"|(null))/.exec(head);
  return {
    ...(id === undefined ? {} : { id }),
    ...(parent === null ? {} : { parentId: parent[1] === undefined || parent[1] === "" ? null : parent[1] }),
  };
}

/** One line with its LF, in the key order of the format: type, id, parentId, timestamp, the rest. */
export function encodeEntry(entry: AnyEntry): string {
  if (isInOrder(entry)) return `${JSON.stringify(entry)}\n`;
  const { type, id, parentId, timestamp, ...rest } = entry;
  return `${JSON.stringify({ type, id, parentId, timestamp, ...rest })}\n`;
}

const FIRST_KEYS = ["type", "id", "parentId", "timestamp"];

function isInOrder(entry: AnyEntry): boolean {
  let index = 0;
  for (const key in entry) {
    if (key !== FIRST_KEYS[index]) return false;
    index++;
    if (index === FIRST_KEYS.length) return true;
  }
  return false;
}

/** The first line with its LF. */
export function encodeHeader(header: SessionHeader): string {
  return `${JSON.stringify(header)}\n`;
}

/** The header in a line, or undefined. A version-1 file has no `version`; an absent cwd or time reads as empty. */
export function decodeHeader(line: string): SessionHeader | undefined {
  const value = parse(trimLine(line));
  if (!isObject(value) || value.type !== "session" || !isString(value.id)) return undefined;
  return {
    ...value,
    type: "session",
    version: typeof value.version === "number" ? value.version : 1,
    id: value.id,
    timestamp: isString(value.timestamp) ? value.timestamp : isoTime(0),
    cwd: isString(value.cwd) ? value.cwd : "",
  };
}

/** The header of a new session. */
export function newHeader(fields: Omit<SessionHeader, "type" | "version">): SessionHeader {
  const { id, timestamp, cwd, ...rest } = fields;
  return { type: "session", version: SESSION_VERSION, id, timestamp, cwd, ...rest };
}
