import { encodeEntry, encodeHeader } from "./codec.ts";
import { type AnyEntry, SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { SessionError } from "./errors.ts";
import type { SessionFile, SessionFiles } from "./session-files.ts";
import type { StoredItem } from "./storage.ts";
import { writeAside } from "./write-aside.ts";

export interface UpgradedFile {
  readonly file: SessionFile;
  readonly header: SessionHeader;
  readonly headerEnd: number;
  readonly end: number;
}

/**
 * Puts a version-3 file in the place of an old one, with entries added, by an atomic rename. The original is kept
 * beside it, named after its version.
 */
export async function upgradeFile(from: {
  readonly files: SessionFiles;
  readonly path: string;
  readonly header: SessionHeader;
  readonly items: readonly StoredItem[];
  readonly added: readonly AnyEntry[];
}): Promise<UpgradedFile> {
  const { files, path } = from;
  const header: SessionHeader = { ...from.header, version: SESSION_VERSION };
  const headerText = encodeHeader(header);
  const old = from.items.flatMap((item) => (item.kind === "entry" ? [item.entry] : []));
  const text = headerText + [...old, ...from.added].map(encodeEntry).join("");
  await keepOriginal(files, path, from.header.version);
  await writeAside(files, path, text, "replace");
  const file = await files.open(path, "append");
  return { file, header, headerEnd: Buffer.byteLength(headerText), end: Buffer.byteLength(text) };
}

const MAX_KEPT_ORIGINALS = 100;

async function keepOriginal(files: SessionFiles, path: string, version: number): Promise<void> {
  for (let count = 0; count < MAX_KEPT_ORIGINALS; count++) {
    const kept = `${path}.v${version}${count === 0 ? "" : `-${count}`}`;
    if ((await files.stat(kept)) !== undefined) continue;
    await files.link(path, kept);
    return;
  }
  throw new SessionError({
    code: "exists",
    message: `Too many kept originals beside ${path}.`,
    data: { path },
  });
}
