import { dirname, join, relative } from "node:path";
import { CONTEXT_FILE_NAMES } from "../context-files.ts";
import type { FileSystem } from "../env/environment.ts";

/** A folder whose instructions would be put before the model. */
export interface InstructionFolder {
  /** Absolute. */
  readonly directory: string;
  /** The file, relative to the project. */
  readonly file: string;
}

/**
 * The files of instructions for the model (AGENTS.md) of a project's folder and of those above it, nearest first. The
 * user's home and what lies above that is not the project's.
 */
export async function projectInstructions(
  files: FileSystem,
  cwd: string,
  homeDirectory?: string,
): Promise<readonly InstructionFolder[]> {
  const found: InstructionFolder[] = [];
  for (let directory = cwd; directory !== homeDirectory; directory = dirname(directory)) {
    const file = await instructionsIn(files, directory);
    if (file !== undefined) found.push({ directory, file: relative(cwd, file) });
    if (dirname(directory) === directory) break;
  }
  return found;
}

/** Of two names the first counts, as where they are loaded. */
async function instructionsIn(files: FileSystem, directory: string): Promise<string | undefined> {
  for (const name of CONTEXT_FILE_NAMES) {
    const path = join(directory, name);
    const info = await files.stat(path).catch(() => undefined);
    if (info?.kind === "file") return path;
  }
  return undefined;
}
