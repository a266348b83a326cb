import { exportOpenSession } from "../../../export/export-open-session.ts";
import { redactionNotice } from "../../../export/redaction-notice.ts";
import type { SlashCommand } from "./command.ts";

const NO_REDACT = "--no-redact";

export const exportCommand: SlashCommand = {
  name: "export",
  argument: `[file] [${NO_REDACT}]`,
  help: "write the session, without secrets of known forms, to a file of its own, or with .html as a page",
  async run(host, argument) {
    const { session } = host.agent;
    if (session.getLeafId() === null) return host.notice("There is nothing in this session to export.");
    const { file, isRedacted } = understood(argument);
    const exported = await exportOpenSession({
      ...{ session, cwd: session.cwd, sessionsDirectory: host.places.sessionsDirectory, file, isRedacted },
      ...{ usualEnding: "jsonl", exportedAt: new Date().toISOString() },
    });
    const what = exported.path.endsWith(".html") ? "page" : "file";
    host.notice(`Written to ${exported.path}\n${redactionNotice(exported.redactedSecrets, what)}`);
  },
};

/** The flag stands before or behind the name, which may hold blanks. */
function understood(argument: string): { readonly file: string | undefined; readonly isRedacted: boolean } {
  const file = argument.replace(/^--no-redact(?=\s|$)|(?<=\s|^)--no-redact$/, "").trim();
  return { file: file === "" ? undefined : file, isRedacted: file === argument };
}
