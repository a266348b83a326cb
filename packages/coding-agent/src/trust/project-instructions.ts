import { dirname, relative } from "node:path";
import { contextFileIn } from "../context-files.ts";
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
  const directories: string[] = [];
  for (let directory = cwd; directory !== homeDirectory; directory = dirname(directory)) {
    directories.push(directory);
    if (dirname(directory) === directory) break;
  }
  const found = await Promise.all(directories.map((directory) => contextFileIn(files, directory)));
  return directories.flatMap((directory, index) => {
    const file = found[index];
    return file === undefined ? [] : [{ directory, file: relative(cwd, file) }];
  });
}
