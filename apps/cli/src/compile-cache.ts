import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import type { Places } from "./places.ts";

/**
 * Keeps compiled code from one start to the next, in the user's own folder.
 *
 * Not in the system's temporary folder, Node's default: another user could lay code there. Where nothing can be
 * written the program starts a little slower.
 */
export function useCompileCache({ userDirectory, cacheDirectory }: Places): void {
  try {
    mkdirSync(userDirectory, { recursive: true, mode: 0o700 });
    enableCompileCache(join(cacheDirectory, "compile"));
  } catch {
    // A home folder that is read-only or missing is no reason not to run.
  }
}
