import { resolve } from "node:path";
import { exportSessionFile } from "@coppice/coding-agent";
import { type JsonlRepo, mergeSessionFiles } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { redactionNotice } from "../../export/redaction-notice.ts";
import { sessionFileName } from "../../export/session-file-name.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { sessionRef } from "../../session-choice.ts";

const MAX_COLUMNS = 400;

/**
 * `coppice sessions export SESSION [FILE] [--branch] [--no-redact]`: the session as a file of its own, without secrets of
 * known forms; tells its path, and how many were replaced.
 */
export async function exportSession(
  { args, cwd, stdout, stderr }: CliContext,
  repo: JsonlRepo,
  { ref, file }: { readonly ref: string; readonly file: string | undefined },
): Promise<number> {
  const source = sessionRef(ref, cwd);
  const target = resolve(cwd, file ?? (await defaultName(repo, source)));
  const { redactedSecrets } = await exportSessionFile(repo, {
    ...{ session: source, target, only: args.flags.branch === true ? "branch" : "all" },
    isRedacted: args.flags["no-redact"] !== true,
  });
  await stdout.write(`${inertLine(target, MAX_COLUMNS)}\n`);
  await stderr.write(`${redactionNotice(redactedSecrets, "file")}\n`);
  return EXIT_CODES.ok.code;
}

async function defaultName(repo: JsonlRepo, ref: string): Promise<string> {
  const session = await repo.open(ref, { readOnly: true });
  await session.close();
  return sessionFileName(session.id, "jsonl");
}

/** `coppice sessions merge A B TARGET`: the union of two copies of one session as a third file. */
export async function mergeCopies(
  { cwd, stdout }: CliContext,
  { a, b, target }: { readonly a: string; readonly b: string; readonly target: string },
): Promise<number> {
  const path = resolve(cwd, target);
  await mergeSessionFiles(resolve(cwd, a), resolve(cwd, b), path);
  await stdout.write(`${inertLine(path, MAX_COLUMNS)}\n`);
  return EXIT_CODES.ok.code;
}
