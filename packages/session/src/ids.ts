import { randomBytes } from "node:crypto";

const ID_BYTES = 8;
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);

/** 16 hex characters: 64 random bits, so that copies of one session can be continued apart and united later. */
export function randomEntryId(): string {
  // One call for many ids: asking the system for eight bytes costs more than writing the entry.
  if (pool.length < ID_BYTES) pool = randomBytes(POOL_BYTES);
  const id = pool.toString("hex", 0, ID_BYTES);
  pool = pool.subarray(ID_BYTES);
  return id;
}

/** A UUIDv7 (RFC 9562, section 5.7) for the given Unix milliseconds: ids sort by creation. */
export function uuidV7(nowMs: number, random: Uint8Array = randomBytes(10)): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
