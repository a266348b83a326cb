import type { JsonlRepo } from "@coppice/session";
import { redactLine } from "./redact-line.ts";
import { createRedactor } from "./redactor.ts";

export interface ExportSessionFileOptions {
  /** Path, id or unique beginning of one. The session may be in use, and stays as it is. */
  readonly session: string;
  /** The file to write, absolute; it must be free. */
  readonly target: string;
  /** `branch`: only the way to the position; default `all`. */
  readonly only?: "all" | "branch";
  /** Default true; false leaves secrets where they are. */
  readonly isRedacted?: boolean;
}

export interface ExportedSessionFile {
  /** How many secrets were replaced, each counted once; null where nobody looked for any. */
  readonly redactedSecrets: number | null;
}

/**
 * Writes a session to a file of its own, which every reader of session files opens, without secrets of known forms.
 *
 * Line by line, so that a session of any length takes the memory of its longest line. What was replaced is kept nowhere;
 * `redactSessionFile` makes a copy that can be turned back. Throws `SessionError`.
 */
export async function exportSessionFile(
  repo: JsonlRepo,
  { session, target, only = "all", isRedacted = true }: ExportSessionFileOptions,
): Promise<ExportedSessionFile> {
  if (!isRedacted) {
    await repo.export(session, target, { only });
    return { redactedSecrets: null };
  }
  const redactor = createRedactor();
  await repo.export(session, target, { only, changeLine: (line) => redactLine(line, redactor) });
  return { redactedSecrets: redactor.secrets.length };
}
