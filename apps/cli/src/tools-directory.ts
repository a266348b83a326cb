import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";

/** Where the tools of a session work: in its own directory, or, where that is gone, in the current one. */
export async function toolsDirectory(sessionCwd: string, currentCwd: string): Promise<string> {
  if (!isAbsolute(sessionCwd)) return currentCwd;
  const isThere = await stat(sessionCwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? sessionCwd : currentCwd;
}
