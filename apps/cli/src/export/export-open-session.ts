import { resolve } from "node:path";
import { exportSessionFile } from "@coppice/coding-agent";
import { JsonlRepo, type Session } from "@coppice/session";
import { CliError } from "../cli-error.ts";
import type { ExportedFile } from "./export-to-file.ts";
import { sessionFileName } from "./session-file-name.ts";

export interface ExportOpenSessionOptions {
  readonly session: Session;
  /** Absolute; a relative `file` starts here. */
  readonly cwd: string;
  readonly sessionsDirectory: string;
  /** With the ending `.html` a page, else a session file. Default: the session's id with the ending `defaultEnding`. */
  readonly file: string | undefined;
  readonly defaultEnding: "html" | "jsonl";
  /** Default: true. */
  readonly isRedacted?: boolean | undefined;
  /** ISO 8601. */
  readonly exportedAt: string;
}

/** Exports the session that is open as a page or as a session file. Throws `CliError` `usage` where it has none yet. */
export async function exportOpenSession(options: ExportOpenSessionOptions): Promise<ExportedFile> {
  const { session, cwd, sessionsDirectory, defaultEnding, isRedacted = true, exportedAt } = options;
  const file = options.file ?? sessionFileName(session.id, defaultEnding);
  if (file.endsWith(".html")) {
    // The page itself is text of a hundred kilobytes that nothing else needs.
    const { exportToFile } = await import("./export-to-file.ts");
    return exportToFile({ session, cwd, file, isRedacted, exportedAt });
  }
  if (session.path === undefined || session.getLeafId() === null) {
    throw new CliError("usage", "There is no file of this session to copy", {
      advice: "It is written with the first message; a session that is kept in memory has none.",
    });
  }
  const target = resolve(cwd, file);
  const repo = new JsonlRepo({ directory: sessionsDirectory });
  const { redactedSecrets } = await exportSessionFile(repo, { session: session.path, target, isRedacted });
  return { path: target, redactedSecrets };
}
