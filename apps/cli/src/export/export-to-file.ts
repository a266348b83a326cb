import { resolve } from "node:path";
import type { Session } from "@coppice/session";
import { exportSession } from "./export-session.ts";
import { sessionFileName } from "./session-file-name.ts";
import { writePage } from "./write-page.ts";

export interface ExportToFileOptions {
  readonly session: Session;
  /** Absolute; a relative `file` starts here. */
  readonly cwd: string;
  /** Default: the session's id with the ending `.html`. */
  readonly file?: string | undefined;
  /** Default: true. */
  readonly isRedacted?: boolean | undefined;
  /** ISO 8601. */
  readonly exportedAt: string;
}

export interface ExportedFile {
  /** Absolute. */
  readonly path: string;
  /** How many secrets were replaced; null where nobody looked for any. */
  readonly redactedSecrets: number | null;
}

/** Exports a session as a page into a file that only its owner can read. */
export async function exportToFile(options: ExportToFileOptions): Promise<ExportedFile> {
  const { session, cwd, file, isRedacted = true, exportedAt } = options;
  const path = resolve(cwd, file ?? sessionFileName(session.id, "html"));
  const { html, redactedSecrets } = await exportSession({ session, isRedacted, exportedAt });
  await writePage(path, html);
  return { path, redactedSecrets };
}
