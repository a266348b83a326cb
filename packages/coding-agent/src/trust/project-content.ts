import { createHash } from "node:crypto";
import { join } from "node:path";
import { CONTEXT_FILE_NAMES } from "../context-files.ts";
import type { FileSystem } from "../env/environment.ts";

/** What a project brings along that may do something only once the user trusts it. */
export interface ProjectContent {
  /** Paths relative to the project, sorted; empty = there is nothing to trust. */
  readonly files: readonly string[];
  /** Files of instructions for the model, relative; they take effect together with the rest and are no part of the fingerprint. */
  readonly instructions: readonly string[];
  /** Changes with any of `files`. */
  readonly fingerprint: string;
  /** False when there are more than were looked at: then the fingerprint does not speak for all. */
  readonly isComplete: boolean;
}

/** Where such things lie in a project. */
const PLACES = [
  ...[".coppice/settings.json", ".coppice/mcp.json", ".coppice/models.json"],
  ...[".coppice/extensions", ".coppice/skills", ".coppice/prompts", ".agents/skills"],
];

const MOST_FILES = 2000;
const MOST_DEPTH = 12;
const CHUNK_BYTES = 1_048_576;

/** Reads the project's own settings, extensions, skills and prompts and says what they are. Runs nothing. */
export async function projectContent(files: FileSystem, cwd: string): Promise<ProjectContent> {
  const found: string[] = [];
  for (const place of PLACES) await collect({ files, cwd, found }, place, 0);
  found.sort();
  const hash = createHash("sha256");
  for (const path of found)
    hash.update(`${JSON.stringify(path)}:${await digestOf(files, join(cwd, path))}\n`);
  return {
    files: found,
    instructions: await instructionsIn(files, cwd),
    fingerprint: hash.digest("hex"),
    isComplete: found.length < MOST_FILES,
  };
}

async function instructionsIn(files: FileSystem, cwd: string): Promise<readonly string[]> {
  const kinds = await Promise.all(
    CONTEXT_FILE_NAMES.map((name) => files.stat(join(cwd, name)).catch(() => undefined)),
  );
  return CONTEXT_FILE_NAMES.filter((_, index) => kinds[index]?.kind === "file").slice(0, 1);
}

interface Search {
  readonly files: FileSystem;
  readonly cwd: string;
  readonly found: string[];
}

async function collect(search: Search, path: string, depth: number): Promise<void> {
  const { files, cwd, found } = search;
  if (found.length >= MOST_FILES) return;
  const info = await files.stat(join(cwd, path)).catch(() => undefined);
  if (info?.kind === "file") found.push(path);
  if (info?.kind !== "directory" || depth > MOST_DEPTH) return;
  const entries = await files.readDirectory(join(cwd, path)).catch(() => []);
  for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (name !== "node_modules" && name !== ".git") await collect(search, `${path}/${name}`, depth + 1);
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
