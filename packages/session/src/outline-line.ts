import { type DecodedLine, decodeLine } from "./codec.ts";
import type { AnyEntry } from "./entry.ts";
import { endOfJson, endOfString } from "./json-bytes.ts";

const CLOSE_BRACE = 0x7d;
const HEAD = Buffer.from('{"type":"message","id":"');
const PARENT = Buffer.from(',"parentId":"');
const NO_PARENT = Buffer.from(',"parentId":null');
const TIME = Buffer.from(',"timestamp":"');
const MESSAGE = Buffer.from(',"message":');
const ROLE = Buffer.from('{"role":"');

/**
 * Reads one line of version 3 as `decodeLine` does, but keeps of a message only what makes the tree.
 *
 * Messages are nearly all of a file. Those written in the order of the format are checked byte by byte, without making
 * the value; a line of another kind or order, and one that may be damaged, is read as any other reader does.
 */
export function decodeOutlineLine(bytes: Buffer): DecodedLine {
  const entry = messageLinks(bytes);
  return entry === undefined ? decodeLine(bytes.toString("utf8")) : { kind: "entry", entry };
}

function messageLinks(bytes: Buffer): AnyEntry | undefined {
  if (!holds(bytes, 0, HEAD)) return undefined;
  const idEnd = endOfString(bytes, HEAD.length);
  const isRoot = holds(bytes, idEnd, NO_PARENT);
  if (!isRoot && !holds(bytes, idEnd, PARENT)) return undefined;
  const parentAt = idEnd + PARENT.length;
  const parentEnd = isRoot ? idEnd + NO_PARENT.length : endOfString(bytes, parentAt);
  if (!holds(bytes, parentEnd, TIME)) return undefined;
  const timeAt = parentEnd + TIME.length;
  const timeEnd = endOfString(bytes, timeAt);
  if (!holds(bytes, timeEnd, MESSAGE) || !isLastObject(bytes, timeEnd + MESSAGE.length)) return undefined;
  const id = plainText(bytes, HEAD.length, idEnd - 1);
  const parentId = isRoot ? null : plainText(bytes, parentAt, parentEnd - 1);
  const timestamp = plainText(bytes, timeAt, timeEnd - 1);
  if (id === undefined || parentId === undefined || timestamp === undefined) return undefined;
  return { type: "message", id, parentId, timestamp };
}

/** True when a message starts at `at` and nothing but the end of the entry follows it. */
function isLastObject(bytes: Buffer, at: number): boolean {
  if (!holds(bytes, at, ROLE)) return false;
  const end = endOfJson(bytes, at);
  return end === bytes.length - 1 && bytes[end] === CLOSE_BRACE;
}

function holds(bytes: Buffer, at: number, wanted: Buffer): boolean {
  if (at < 0) return false;
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/** The text of a string that is there as it is: ASCII without escapes, and not empty. */
function plainText(bytes: Buffer, from: number, to: number): string | undefined {
  for (let index = from; index < to; index++) {
    const byte = bytes[index] ?? 0;
    if (byte > 0x7e || byte === 0x5c) return undefined;
  }
  return from === to ? undefined : bytes.toString("latin1", from, to);
}
