import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { isSessionError, type JsonlRepo, type Session } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { failureOf } from "../../render/error-text.ts";
import { inertLine } from "../../render/terminal-text.ts";

const MAX_COLUMNS = 400;

/** What came of one file. */
interface Imported {
  readonly session: Session;
  /** What people should know about it. */
  readonly note?: string;
}

/**
 * `coppice sessions import PATH…`: takes in session files, those of other programs as well, or all that lie in a folder.
 * What cannot be taken in is told and stops nothing else. Exit code 1 when a file was left out.
 */
export async function importSessions(
  { cwd, stdout, stderr, stop }: CliContext,
  repo: JsonlRepo,
  places: readonly string[],
): Promise<number> {
  const tell = (path: string, text: string) =>
    stderr.write(`coppice: ${inertLine(path, MAX_COLUMNS)}: ${inertLine(text, MAX_COLUMNS)}\n`);
  let failures = 0;
  for (const place of places) {
    for (const path of await sessionFilesAt(resolve(cwd, place))) {
      if (stop.signal.aborted) break;
      try {
        const { session, note } = await importFile(repo, path, cwd);
        await session.close();
        await stdout.write(`${inertLine(session.id, 40)}  ${inertLine(path, MAX_COLUMNS)}\n`);
        if (note !== undefined) await tell(path, note);
      } catch (error) {
        failures += 1;
        await tell(path, failureOf(error).message);
      }
    }
  }
  return failures === 0 ? EXIT_CODES.ok.code : EXIT_CODES.failure.code;
}

async function importFile(repo: JsonlRepo, path: string, cwd: string): Promise<Imported> {
  try {
    return { session: await repo.import(path) };
  } catch (error) {
    if (!isSessionError(error, "not_a_session")) throw error;
    const { convertForeign } = await import("./convert-foreign.ts");
    const converted = await convertForeign(path, cwd);
    if (converted === undefined) throw error;
    return { session: await repo.import(converted.copy), note: converted.note };
  }
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
    .filter(isSessionName)
    .sort()
    .map((name) => join(path, name));
}

/** Lines of JSON; Codex packs older ones, and older Gemini CLI wrote a document. */
function isSessionName(name: string): boolean {
  return /\.jsonl(?:\.zst)?$/.test(name) || /^session-.*\.json$/.test(basename(name));
}
