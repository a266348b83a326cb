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
  /** Default: the session's id with the ending `usualEnding`. */
  readonly file: string | undefined;
  /** What is written unless the name of `file` ends as the other does: a page, or a session file. */
  readonly usualEnding: "html" | "jsonl";
  /** Default: true. */
  readonly isRedacted?: boolean | undefined;
  /** ISO 8601. */
  readonly exportedAt: string;
}

/** Exports the session that is open as a page or as a session file. Throws `CliError` `usage` where it has none yet. */
export async function exportOpenSession(options: ExportOpenSessionOptions): Promise<ExportedFile> {
  const { session, cwd, sessionsDirectory, usualEnding, isRedacted = true, exportedAt } = options;
  const file = options.file ?? sessionFileName(session.id, usualEnding);
  const isPage = usualEnding === "html" ? !file.endsWith(".jsonl") : file.endsWith(".html");
  if (isPage) {
    // The page itself is text of a hundred kilobytes that nothing else needs.
    const { exportToFile } = await import("./export-to-file.ts");
    return exportToFile({ session, cwd, file, isRedacted, exportedAt });
  }
  const from = storedPathOf(session);
  const target = resolve(cwd, file);
  const repo = new JsonlRepo({ directory: sessionsDirectory });
  const { redactedSecrets } = await exportSessionFile(repo, { session: from, target, isRedacted });
  return { path: target, redactedSecrets };
}

/** The file that an open session is kept in. Throws `CliError` `usage` where there is none yet. */
export function storedPathOf(session: Session): string {
  if (session.path !== undefined && session.getLeafId() !== null) return session.path;
  throw new CliError("usage", "There is no file of this session to copy", {
    advice: "It is written with the first message; a session that is kept in memory has none.",
  });
}
