import type { Environment } from "../../env/environment.ts";
import { RIPGREP_FILE_ARGUMENTS } from "../search/ripgrep-arguments.ts";
import { walkFiles } from "../search/walk-files.ts";
import { errorCode } from "../tool-error.ts";

export interface FindFilesRequest {
  /** Absolute folder. */
  readonly folder: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly onFile: (path: string) => void;
}

/** Names every file under a folder, relative to it, in no order: by ripgrep, or by walking where there is none. */
export async function findFiles({ folder, environment, signal, onFile }: FindFilesRequest): Promise<void> {
  if (environment.ripgrep !== undefined) {
    try {
      const onLine = (line: string): boolean => {
        onFile(line.replace(/^\.\//, ""));
        return true;
      };
      await environment.ripgrep(["--files", "--null", ...RIPGREP_FILE_ARGUMENTS, "--", "."], {
        cwd: folder,
        signal,
        lineEnd: "\0",
        onLine,
      });
      signal.throwIfAborted();
      return;
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
  for await (const path of walkFiles(folder, { files: environment.files, signal })) onFile(path);
}
