import type { FileSystem } from "../../env/environment.ts";
import { type IgnoreFile, isIgnored, parseIgnoreFile } from "./ignore-rules.ts";

export interface WalkOptions {
  readonly files: FileSystem;
  readonly signal: AbortSignal;
}

/**
 * Every file under `root`, folder by folder in order of names, as paths relative to it.
 *
 * `.gitignore` files from `root` down are obeyed, `.git` is left out, hidden files are not. Links are not followed.
 * Folders that cannot be read are passed over.
 */
export async function* walkFiles(
  root: string,
  options: WalkOptions,
  folder = "",
  above: readonly IgnoreFile[] = [],
): AsyncGenerator<string, void, undefined> {
  options.signal.throwIfAborted();
  const absolute = folder === "" ? root : `${root}/${folder}`;
  const entries = await readSorted(absolute, folder === "", options.files);
  const own = entries.some(({ name, kind }) => name === ".gitignore" && kind === "file")
    ? [
        parseIgnoreFile(
          new TextDecoder().decode(await options.files.readFile(`${absolute}/.gitignore`)),
          folder,
        ),
      ]
    : [];
  const rules = [...above, ...own];
  for (const { name, kind } of entries) {
    if (name === ".git") continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isIgnored(path, kind === "directory", rules)) continue;
    if (kind === "directory") yield* walkFiles(root, options, path, rules);
    else if (kind === "file") yield path;
  }
}

async function readSorted(path: string, isRoot: boolean, files: FileSystem) {
  try {
    const entries = await files.readDirectory(path);
    return [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isRoot) throw error;
    return [];
  }
}
