/** A tracked file as git last saw it clean: its time and size then, and the object that holds its content. */
export interface TrackedFile {
  readonly objectId: string;
  /** Unix milliseconds. */
  readonly modifiedAtMs: number;
  readonly sizeBytes: number;
}

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const ID_BYTES = 20;
const EXTENDED_FLAG = 0x4000;
const STAGE_MASK = 0x3000;
const NAME_MASK = 0x0fff;

/**
 * The tracked files of a git index, by path from the root of the repository. Empty for a version that is not known.
 *
 * Source: gitformat-index (2026-11), versions 2 to 4 with SHA-1. Reading it runs nothing of the repository.
 */
export function parseGitIndex(bytes: Uint8Array): ReadonlyMap<string, TrackedFile> {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = new Map<string, TrackedFile>();
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return files;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return files;
  try {
    readEntries(index, version, files);
  } catch (error) {
    // Cut off: what stands before it is good.
    if (!(error instanceof RangeError)) throw error;
  }
  return files;
}

function readEntries(index: Buffer, version: number, files: Map<string, TrackedFile>): void {
  const count = index.readUInt32BE(8);
  let at = HEADER_BYTES;
  let previous: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const start = at;
    const seconds = index.readUInt32BE(at + 8);
    const nanoseconds = index.readUInt32BE(at + 12);
    const sizeBytes = index.readUInt32BE(at + 36);
    at += STAT_BYTES;
    const objectId = index.toString("hex", at, at + ID_BYTES);
    at += ID_BYTES;
    const flags = index.readUInt16BE(at);
    at += (flags & EXTENDED_FLAG) === 0 || version === 2 ? 2 : 4;
    const name = version === 4 ? compressedName(index, at, previous) : plainName(index, at, flags);
    previous = name.bytes;
    at = version === 4 ? name.end : start + Math.ceil((name.end - start) / 8) * 8;
    if ((flags & STAGE_MASK) !== 0) continue;
    const modifiedAtMs = seconds * 1000 + nanoseconds / 1e6;
    files.set(name.bytes.toString("utf8"), { objectId, modifiedAtMs, sizeBytes });
  }
}

interface Name {
  readonly bytes: Buffer;
  /** Behind its closing NUL. */
  readonly end: number;
}

function plainName(index: Buffer, at: number, flags: number): Name {
  const length = flags & NAME_MASK;
  const end = length < NAME_MASK ? at + length : endOf(index, at + NAME_MASK);
  return { bytes: index.subarray(at, end), end: end + 1 };
}

/** Version 4: how many bytes of the name before go, as git's variable-length number, then what comes instead. */
function compressedName(index: Buffer, start: number, previous: Buffer): Name {
  let at = start;
  let byte = index.readUInt8(at++);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8(at++);
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  const end = endOf(index, at);
  const bytes = Buffer.concat([previous.subarray(0, previous.length - dropped), index.subarray(at, end)]);
  return { bytes, end: end + 1 };
}

function endOf(index: Buffer, from: number): number {
  const end = index.indexOf(0, from);
  if (end < 0) throw new RangeError("A name has no end.");
  return end;
}
