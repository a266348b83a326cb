import { createRedactor } from "@coppice/coding-agent";
import type { Session } from "@coppice/session";
import { damageNotices } from "../session-damage.ts";
import type { ExportData } from "./export-data.ts";
import { exportDataOf } from "./export-data-of.ts";
import { htmlPage } from "./html-page.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "./page.generated.ts";

export interface ExportOptions {
  readonly session: Session;
  /** False: secrets stay where they are. */
  readonly isRedacted: boolean;
  /** ISO 8601. */
  readonly exportedAt: string;
}

export interface ExportedPage {
  readonly html: string;
  /** How many secrets were replaced, each counted once; null where nobody looked for any. */
  readonly redactedSecrets: number | null;
}

/** A session, all its branches, as one HTML page. Reads the whole session and changes nothing. */
export async function exportSession({
  session,
  isRedacted,
  exportedAt,
}: ExportOptions): Promise<ExportedPage> {
  const [tree, entries, name] = [
    await session.getTree(),
    await session.getEntries(),
    await session.getName(),
  ];
  const { id, cwd, timestamp } = session.header;
  const data = exportDataOf(
    {
      header: { id, cwd, timestamp },
      name,
      entries,
      tree,
      leafId: session.getLeafId(),
      problems: damageNotices(session.path ?? id, session.diagnostics),
    },
    exportedAt,
  );
  const shown = isRedacted ? redacted(data) : data;
  return {
    html: htmlPage(shown, { script: PAGE_SCRIPT, style: PAGE_STYLE }),
    redactedSecrets: shown.redactedSecrets,
  };
}

function redacted(data: ExportData): ExportData {
  const redactor = createRedactor();
  const shown = redactor.redactValue(data);
  return { ...shown, redactedSecrets: redactor.secrets.length };
}
