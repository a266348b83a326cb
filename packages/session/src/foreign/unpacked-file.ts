import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { SessionError } from "../errors.ts";
import { readInto } from "../lines.ts";
import type { SessionFile } from "../session-files.ts";

/** How a file of Zstandard begins (RFC 8878, section 3.1.1). */
const ZSTANDARD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * What a file of Zstandard holds, in memory; any other file as it is. Codex packs its older rollouts so.
 *
 * Throws `not_a_session` where it unpacks to more than `maxBytes` or cannot be unpacked.
 */
export async function unpackedFile(file: SessionFile, path: string, maxBytes: number): Promise<SessionFile> {
  const start = await readInto(file, Buffer.alloc(ZSTANDARD.length), 0);
  if (!start.equals(ZSTANDARD)) return file;
  const sizeBytes = await file.size();
  if (sizeBytes > maxBytes) throw notUnpacked(path, `it is larger than ${maxBytes} bytes`);
  const packed = await readInto(file, Buffer.alloc(sizeBytes), 0);
  try {
    const bytes = await promisify(zstdDecompress)(packed, { maxOutputLength: maxBytes });
    return fileOf(bytes, file);
  } catch (error) {
    throw notUnpacked(path, error instanceof Error ? error.message : String(error));
  }
}

function fileOf(bytes: Buffer, file: SessionFile): SessionFile {
  const read = async (buffer: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  };
  const unchangeable = () => Promise.reject(new Error("An unpacked file is only read."));
  return {
    ...{ read, append: unchangeable, truncate: unchangeable, sync: unchangeable },
    size: async () => bytes.length,
    close: () => file.close(),
  };
}

function notUnpacked(path: string, why: string): SessionError {
  return new SessionError({
    code: "not_a_session",
    message: `${path} cannot be unpacked: ${why}`,
    data: { path },
  });
}
