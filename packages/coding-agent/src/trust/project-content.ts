import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { parseJsonc } from "../config/jsonc.ts";
import type { FileSystem } from "../env/environment.ts";
import { isInside } from "../extensions/extension-entry.ts";
import { checkSettings } from "../settings/check-settings.ts";
import { withAbsoluteFolders } from "../settings/resource-paths.ts";
import { localImports } from "./local-imports.ts";

/** What a project brings along that may do something only once the user trusts it. */
export interface ProjectContent {
  /** Paths relative to the project, sorted; empty = there is nothing to trust. Files elsewhere that they import are among them. */
  readonly files: readonly string[];
  /** Changes with any of `files`. */
  readonly fingerprint: string;
  /** False when there are more than were looked at: then the fingerprint does not speak for all. */
  readonly isComplete: boolean;
}

const SETTINGS = ".coppice/settings.json";

/** Where a project lies, and what its settings are read with. */
export interface Project {
  /** Absolute, links resolved. */
  readonly cwd: string;
  /** What `~` in a path of its settings stands for; absent: nothing. */
  readonly homeDirectory?: string | undefined;
}

/** Where such things lie in a project. */
const PLACES = [
  ...[SETTINGS, ".coppice/mcp.json", ".coppice/models.json"],
  ...[".coppice/extensions", ".coppice/skills", ".coppice/prompts", ".agents/skills"],
];

const MOST_FILES = 2000;
const MOST_DEPTH = 12;
const CHUNK_BYTES = 1_048_576;

/**
 * Reads the project's own settings, extensions, skills and prompts, with what extensions import from elsewhere and the
 * folders of the project that its settings name, and says what they are. Runs nothing.
 */
export async function projectContent(
  files: FileSystem,
  { cwd, homeDirectory }: Project,
): Promise<ProjectContent> {
  const search: Search = { files, cwd, found: new Set() };
  const places = await Promise.all(PLACES.map(async (place) => (await isThere(search, place)) && place));
  for (const place of places) if (place !== false) await collect(search, place, 0);
  for (const folder of await namedFolders(files, { cwd, homeDirectory })) await collect(search, folder, 0);
  await collectImports(search);
  const found = [...search.found].sort();
  const hash = createHash("sha256");
  for (const path of found)
    hash.update(`${JSON.stringify(path)}:${await digestOf(files, join(cwd, path))}\n`);
  return { files: found, fingerprint: hash.digest("hex"), isComplete: found.length < MOST_FILES };
}

interface Search {
  readonly files: FileSystem;
  readonly cwd: string;
  readonly found: Set<string>;
}

function isThere({ files, cwd }: Search, path: string): Promise<boolean> {
  return files.stat(join(cwd, path)).then(
    () => true,
    () => false,
  );
}

async function collect(search: Search, path: string, depth: number): Promise<void> {
  const { files, cwd, found } = search;
  if (found.size >= MOST_FILES) return;
  const info = await files.stat(join(cwd, path)).catch(() => undefined);
  if (info?.kind === "file") found.add(path);
  if (info?.kind !== "directory" || depth > MOST_DEPTH) return;
  const entries = await files.readDirectory(join(cwd, path)).catch(() => []);
  for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (name !== "node_modules" && name !== ".git") await collect(search, join(path, name), depth + 1);
  }
}

/** The folders of skills and prompts that the project's settings name in the project, relative to it, by whatever way. */
async function namedFolders(files: FileSystem, { cwd, homeDirectory }: Project): Promise<readonly string[]> {
  const path = join(cwd, SETTINGS);
  try {
    const text = new TextDecoder().decode(await files.readFile(path));
    const { settings } = await checkSettings(await parseJsonc(text), path);
    const options = { base: dirname(path), homeDirectory };
    const { skills = [], prompts = [] } = withAbsoluteFolders(settings, options);
    const named = [...skills, ...prompts].map(async (folder) => {
      const real = await files.realPath(folder).catch(() => folder);
      return [folder, real].find((place) => isInside(place, cwd));
    });
    return (await Promise.all(named)).flatMap((folder) =>
      folder === undefined ? [] : [relative(cwd, folder)],
    );
  } catch {
    // There are none, or settings that cannot be used, which name nothing.
    return [];
  }
}

/** Adds what the code among the files found imports, and what that imports. */
async function collectImports({ files, cwd, found }: Search): Promise<void> {
  // A set can grow while it is gone through.
  for (const path of found) {
    if (found.size >= MOST_FILES) return;
    for (const target of await localImports(files, join(cwd, path))) found.add(relative(cwd, target));
  }
}

async function digestOf(files: FileSystem, path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for (let offset = 0; ; ) {
      const chunk = await files.readRange(path, offset, CHUNK_BYTES);
      hash.update(chunk);
      offset += chunk.length;
      if (chunk.length < CHUNK_BYTES) break;
    }
    return hash.digest("hex");
  } catch {
    return "unreadable";
  }
}
