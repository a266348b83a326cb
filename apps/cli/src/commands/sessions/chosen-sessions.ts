import type { JsonlRepo, ListDiagnostic, SessionSummary } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { damageText } from "../../session-damage.ts";

/** The sessions that a command without a name means: those of this directory, or with `--all` of every one. */
export function chosenSessions(
  { args, cwd }: CliContext,
  repo: JsonlRepo,
): AsyncIterable<SessionSummary | ListDiagnostic> {
  return repo.list(args.flags.all === true ? {} : { cwd });
}

/** Tells on standard error of a file that is no session. */
export function tellUnlisted({ stderr }: CliContext, { path, diagnostic }: ListDiagnostic): Promise<void> {
  return stderr.write(`coppice: ${inertLine(`${path}: ${diagnostic}`, 400)}\n`);
}

/** Tells on standard error of lines that are damaged. */
export async function tellDamage(
  { stderr }: CliContext,
  { id, path, damage }: SessionSummary,
): Promise<void> {
  if (damage === undefined) return;
  await stderr.write(`coppice: ${inertLine(damageText({ path: path ?? id, ...damage }), 400)}\n`);
}
