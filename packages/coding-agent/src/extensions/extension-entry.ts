import { basename, extname, join, sep } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { messageOf } from "../errors.ts";

/** A file that can be imported as an extension. */
export interface ExtensionFile {
  readonly name: string;
  /** Absolute, links resolved. */
  readonly path: string;
  /** The folder whose modules belong to it; absolute, links resolved. */
  readonly root: string;
}

const EXTENSION_FILE = /(?<!\.d|\.test|\.spec)\.(?:ts|mts|js|mjs)$/;
const INDEX_FILES = ["index.ts", "index.mts", "index.js", "index.mjs"];

/** True for names of files that are extensions: no declarations, tests, or hidden files. */
export function isExtensionFileName(name: string): boolean {
  return EXTENSION_FILE.test(name) && !/^[._]/.test(name);
}

/**
 * The entry files of a path: the file itself, or what a folder's `package.json` names in `coppice.extensions` (a list), in
 * `main`, or else its `index.*`. A folder without any of them has none.
 *
 * Rejects, with a message that names the file, where the path cannot be read or names files that are not there.
 */
export async function extensionFilesAt(files: FileSystem, path: string): Promise<readonly ExtensionFile[]> {
  const real = await files.realPath(path);
  const { kind } = await files.stat(real);
  if (kind === "file") {
    if (!EXTENSION_FILE.test(basename(real))) throw new Error(`${path} is neither .ts, .mts, .js nor .mjs`);
    return [{ name: nameOf(path), path: real, root: join(real, "..") }];
  }
  const manifest = await readManifest(files, real);
  const named = manifest.entries ?? (await firstIndex(files, real));
  const found: ExtensionFile[] = [];
  for (const entry of named) {
    const target = await files.realPath(join(real, entry));
    if (!isInside(target, real)) throw new Error(`${join(path, entry)} leads out of its folder`);
    await files.stat(target).catch((error) => {
      throw new Error(`${join(path, "package.json")} names ${entry}: ${messageOf(error)}`);
    });
    const name = manifest.name ?? basename(path);
    found.push({ name: named.length === 1 ? name : `${name}/${nameOf(entry)}`, path: target, root: real });
  }
  return found;
}

interface Manifest {
  readonly name: string | undefined;
  readonly entries: readonly string[] | undefined;
}

async function readManifest(files: FileSystem, folder: string): Promise<Manifest> {
  const path = join(folder, "package.json");
  const bytes = await files.readFile(path).catch(() => undefined);
  if (bytes === undefined) return { name: undefined, entries: undefined };
  try {
    const { name, main, coppice } = JSON.parse(new TextDecoder().decode(bytes)) as Readonly<
      Record<"name" | "main", unknown> & { coppice?: { extensions?: unknown } }
    >;
    const listed: unknown = coppice?.extensions ?? (typeof main === "string" ? [main] : undefined);
    if (listed !== undefined && !isTexts(listed)) throw new Error("`coppice.extensions` is no list of files");
    return { name: typeof name === "string" && name !== "" ? name : undefined, entries: listed };
  } catch (error) {
    throw new Error(`${path} cannot be used: ${messageOf(error)}`);
  }
}

async function firstIndex(files: FileSystem, folder: string): Promise<readonly string[]> {
  for (const name of INDEX_FILES) {
    const info = await files.stat(join(folder, name)).catch(() => undefined);
    if (info?.kind === "file") return [name];
  }
  return [];
}

/** `path` may be `folder` itself. Both are absolute with links resolved. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function nameOf(path: string): string {
  return basename(path, extname(path));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}
