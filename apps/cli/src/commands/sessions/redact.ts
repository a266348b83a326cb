import { resolve } from "node:path";
import { redactSessionFile, restoreSessionFile } from "@coppice/coding-agent";
import type { JsonlRepo } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { redactionsDirectory } from "../../export/redactions-directory.ts";
import { sessionFileName } from "../../export/session-file-name.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { sessionRef } from "../../session-choice.ts";

const MAX_COLUMNS = 400;

/**
 * `coppice sessions redact SESSION [FILE]`: a copy of a session without its secrets, and what was taken out in a file
 * of the user's own, so that `sessions restore` can put it back here and nowhere else. The session stays as it is.
 */
export async function redactSession(
  { cwd, places, stdout, stderr }: CliContext,
  repo: JsonlRepo,
  { ref, file }: { readonly ref: string; readonly file: string | undefined },
): Promise<number> {
  const source = await repo.resolve(sessionRef(ref, cwd));
  const target = resolve(cwd, file ?? sessionFileName(await idOf(repo, source), "redacted.jsonl"));
  const directory = redactionsDirectory(places);
  const { redactedSecrets } = await redactSessionFile({ source, target, directory });
  await stdout.write(`${inertLine(target, MAX_COLUMNS)}\n`);
  await stderr.write(
    `${redactedSecrets === 1 ? "1 secret was" : `${redactedSecrets} secrets were`} replaced; the session itself still holds what it held.\n`,
  );
  return EXIT_CODES.ok.code;
}

/** `coppice sessions restore FILE [TARGET]`: puts back what `sessions redact` took out on this machine. */
export async function restoreSession(
  { cwd, places, stdout, stderr }: CliContext,
  { file, target }: { readonly file: string; readonly target: string | undefined },
): Promise<number> {
  const source = resolve(cwd, file);
  const path = resolve(cwd, target ?? `${source}.restored`);
  const directory = redactionsDirectory(places);
  const { unknownPlaceholders } = await restoreSessionFile({ source, target: path, directory });
  await stdout.write(`${inertLine(path, MAX_COLUMNS)}\n`);
  if (unknownPlaceholders === 0) return EXIT_CODES.ok.code;
  await stderr.write(
    `coppice: ${unknownPlaceholders} placeholders are not known on this machine and stay.\n`,
  );
  return EXIT_CODES.failure.code;
}

async function idOf(repo: JsonlRepo, path: string): Promise<string> {
  const session = await repo.open(path, { readOnly: true });
  await session.close();
  return session.id;
}
