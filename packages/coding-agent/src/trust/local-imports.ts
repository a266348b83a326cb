import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileSystem } from "../env/environment.ts";

const CODE_FILE = /\.[cm]?[jt]sx?$/;
/** A larger file is generated; what it imports is in it. */
const MAX_SCANNED_BYTES = 1_048_576;
/** A text after a word that loads modules. What a comment says counts as well: one file too many does no harm. */
const SPECIFIER = /\b(?:from|import|require|resolve)\s*\(?\s*(["'`])((?:\.{1,2}\/|\/|file:)[^"'`\n]*)\1/g;
/** The endings that people leave out. */
const ENDINGS = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/**
 * The files that a file of code loads by a path that stands in it, absolute; each that is there once.
 *
 * Packages, and paths that are computed, cannot be told from the text.
 */
export async function localImports(files: FileSystem, path: string): Promise<readonly string[]> {
  if (!CODE_FILE.test(path)) return [];
  const bytes = await files.readRange(path, 0, MAX_SCANNED_BYTES).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(bytes);
  const folder = dirname(await files.realPath(path).catch(() => path));
  const found = new Set<string>();
  for (const [, , specifier = ""] of text.matchAll(SPECIFIER)) {
    const target = await fileAt(files, placeOf(specifier, folder));
    if (target !== undefined) found.add(target);
  }
  return [...found];
}

function placeOf(specifier: string, folder: string): string {
  const path = specifier.replace(/[?#].*$/, "");
  try {
    if (path.startsWith("file:")) return fileURLToPath(path);
  } catch {
    // No address of a file: then of nothing that is there.
  }
  return isAbsolute(path) ? path : resolve(folder, path);
}

async function fileAt(files: FileSystem, path: string): Promise<string | undefined> {
  const written = [path, path.replace(/\.([cm]?)js$/, ".$1ts")];
  for (const candidate of new Set(written.flatMap((one) => ENDINGS.map((ending) => one + ending)))) {
    const info = await files.stat(candidate).catch(() => undefined);
    if (info?.kind === "file") return candidate;
  }
  return undefined;
}
