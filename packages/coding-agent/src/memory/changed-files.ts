import { resolve } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { hashOf } from "../tools/file-ledger.ts";
import { errorCode } from "../tools/tool-error.ts";
import type { BranchFile } from "./branch-files.ts";

/** A file of another branch compared with what is there now. */
export interface FileComparison {
  readonly path: string;
  /** What the branch left, SHA-256 in hexadecimal; absent where nobody knows. */
  readonly hash?: string;
  /** `unknown`: it was changed later than the branch touched it, or cannot be read. */
  readonly state: "same" | "changed" | "missing" | "unknown";
}

/** File systems keep times more coarsely than clocks. */
const CLOCK_SLACK_MS = 2000;

/** Compares what a branch left with the files of now. Reads them; changes nothing. */
export async function compareFiles(
  branchFiles: readonly BranchFile[],
  { files, cwd }: { readonly files: FileSystem; readonly cwd: string },
): Promise<readonly FileComparison[]> {
  return Promise.all(branchFiles.map((file) => compare(file, files, resolve(cwd, file.path))));
}

async function compare(
  { path, hash, touchedAtMs }: BranchFile,
  files: FileSystem,
  place: string,
): Promise<FileComparison> {
  const known = hash === undefined ? {} : { hash };
  try {
    const { modifiedAtMs } = await files.stat(place);
    const now = hashOf(await files.readFile(place));
    if (hash !== undefined) return { path, hash, state: hash === now ? "same" : "changed" };
    // Untouched since: what is there now is what the branch left.
    return modifiedAtMs <= touchedAtMs + CLOCK_SLACK_MS
      ? { path, hash: now, state: "same" }
      : { path, state: "unknown" };
  } catch (error) {
    return { path, ...known, state: errorCode(error) === "ENOENT" ? "missing" : "unknown" };
  }
}
