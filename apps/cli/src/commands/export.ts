import { JsonlRepo, type Session } from "@coppice/session";
import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { exportSession } from "../export/export-session.ts";
import { exportToFile } from "../export/export-to-file.ts";
import { redactionNotice } from "../export/redaction-notice.ts";
import { inertLine } from "../render/terminal-text.ts";
import { newestSession, sessionRef } from "../session-choice.ts";

const MAX_COLUMNS = 400;
/** As `--output`: the page goes to standard output. */
const STANDARD_OUTPUT = "-";

/** `coppice export [SESSION] [--output FILE] [--no-redact]`: a session as one HTML page; tells its path. */
export async function runExportCommand(context: CliContext): Promise<number> {
  const { args, cwd, stdout, stderr } = context;
  if (args.words.length > 1) {
    throw new CliError("usage", `"export" takes one session, not ${args.words.length}`, {
      advice: "Use `coppice export [id] [--output file]`.",
    });
  }
  const isRedacted = args.flags["no-redact"] !== true;
  const exportedAt = new Date().toISOString();
  const session = await openSession(context);
  try {
    if (args.flags.output === STANDARD_OUTPUT) {
      const { html, redactedSecrets } = await exportSession({ session, isRedacted, exportedAt });
      await stdout.write(html);
      await stderr.write(`${redactionNotice(redactedSecrets, "page")}\n`);
      return EXIT_CODES.ok.code;
    }
    const options = { session, cwd, file: args.flags.output, isRedacted, exportedAt };
    const { path, redactedSecrets } = await exportToFile(options);
    await stdout.write(`${inertLine(path, MAX_COLUMNS)}\n`);
    await stderr.write(`${redactionNotice(redactedSecrets, "page")}\n`);
    return EXIT_CODES.ok.code;
  } finally {
    await session.close();
  }
}

async function openSession({ args, cwd, places }: CliContext): Promise<Session> {
  const repo = new JsonlRepo({ directory: places.sessionsDirectory });
  const [ref] = args.words;
  if (ref !== undefined) return repo.open(sessionRef(ref, cwd), { readOnly: true });
  const newest = await newestSession(repo, cwd);
  if (newest === undefined) throw new CliError("no_session", `No session of ${cwd} to export`);
  return repo.open(newest.path ?? newest.id, { readOnly: true });
}
