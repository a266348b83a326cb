import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type JsonlRepo, mergeSessionFiles } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { failureOf } from "../../render/error-text.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { sessionRef } from "../../session-choice.ts";

const MAX_COLUMNS = 400;

/** `coppice sessions export SESSION [FILE] [--branch]`: the session as a file of its own; tells its path. */
export async function exportSession(
  { args, cwd, stdout }: CliContext,
  repo: JsonlRepo,
  { ref, file }: { readonly ref: string; readonly file: string | undefined },
): Promise<number> {
  const source = sessionRef(ref, cwd);
  const target = resolve(cwd, file ?? (await defaultName(repo, source)));
  await repo.export(source, target, { only: args.flags.branch === true ? "branch" : "all" });
  await stdout.write(`${inertLine(target, MAX_COLUMNS)}\n`);
  return EXIT_CODES.ok.code;
}

async function defaultName(repo: JsonlRepo, ref: string): Promise<string> {
  const session = await repo.open(ref, { readOnly: true });
  await session.close();
  return `${session.id.replace(/[^\w.-]/g, "_")}.jsonl`;
}

/**
 * `coppice sessions import PATH…`: copies session files, or all that lie in a folder, to where sessions are kept. What
 * cannot be taken in is told and stops nothing else. Exit code 1 when something was left out.
 */
export async function importSessions(
  { cwd, stdout, stderr, stop }: CliContext,
  repo: JsonlRepo,
  places: readonly string[],
): Promise<number> {
  let failures = 0;
  for (const place of places) {
    for (const path of await sessionFilesAt(resolve(cwd, place))) {
      if (stop.signal.aborted) break;
      try {
        const session = await repo.import(path);
        await session.close();
        await stdout.write(`${inertLine(session.id, 40)}  ${inertLine(path, MAX_COLUMNS)}\n`);
      } catch (error) {
        failures += 1;
        await stderr.write(
          `coppice: ${inertLine(path, MAX_COLUMNS)}: ${inertLine(failureOf(error).message, MAX_COLUMNS)}\n`,
        );
      }
    }
  }
  return failures === 0 ? EXIT_CODES.ok.code : EXIT_CODES.failure.code;
}

/** A file stands for itself; a folder for the session files below it. What is not there is left to the import to tell. */
async function sessionFilesAt(path: string): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(path, name));
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
