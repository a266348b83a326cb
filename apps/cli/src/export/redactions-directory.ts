import { join } from "node:path";
import type { Places } from "../places.ts";

/** Folder in the user's own of what was taken out of copies. */
export function redactionsDirectory({ userDirectory }: Pick<Places, "userDirectory">): string {
  return join(userDirectory, "redactions");
}
