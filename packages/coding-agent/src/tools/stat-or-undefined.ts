import type { FileInfo, FileSystem } from "../env/environment.ts";
import { errorCode } from "./tool-error.ts";

/** What a path is; undefined where there is nothing. Rejects with any other error of the file system. */
export async function statOrUndefined(
  path: string,
  files: Pick<FileSystem, "stat">,
): Promise<FileInfo | undefined> {
  try {
    return await files.stat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
