import { examineSession, type JsonlRepo, repairSession, type SessionReport } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { failureOf } from "../../render/error-text.ts";
import { jsonLine } from "../../render/json-line.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { sessionRef } from "../../session-choice.ts";
import { chosenSessions } from "./chosen-sessions.ts";

const MAX_COLUMNS = 400;

/** What was found out about one file. */
interface Finding {
  readonly path: string;
  readonly report?: SessionReport;
  /** Why there is no report. */
  readonly error?: string;
  readonly repairedPath?: string;
}

/**
 * `coppice sessions doctor [SESSION] [--repair]`: reads the files in full and says what is wrong with them. Never
 * changes one; `--repair` writes a repaired copy beside each that needs it. Exit code 1 when something is wrong.
 */
export async function examineSessions(
  context: CliContext,
  repo: JsonlRepo,
  ref: string | undefined,
): Promise<number> {
  let wrong = 0;
  let seen = 0;
  for await (const path of pathsOf(context, repo, ref)) {
    if (context.stop.signal.aborted) break;
    const finding = await examined(path, context.args.flags.repair === true);
    seen += 1;
    if (!isSound(finding)) wrong += 1;
    await context.stdout.write(
      context.args.flags.mode === "json"
        ? jsonLine(finding)
        : findingText(finding, context.args.flags.repair),
    );
  }
  if (context.args.flags.mode !== "json")
    await context.stderr.write(`${seen} examined, ${wrong} with problems.\n`);
  return wrong === 0 ? EXIT_CODES.ok.code : EXIT_CODES.failure.code;
}

async function* pathsOf(
  context: CliContext,
  repo: JsonlRepo,
  ref: string | undefined,
): AsyncGenerator<string> {
  if (ref !== undefined) {
    yield await repo.resolve(sessionRef(ref, context.cwd));
    return;
  }
  for await (const { path } of chosenSessions(context, repo)) if (path !== undefined) yield path;
}

async function examined(path: string, isToBeRepaired: boolean): Promise<Finding> {
  try {
    const report = await examineSession(path);
    const needsRepair = isToBeRepaired && !isSound({ path, report });
    return { path, report, ...(needsRepair ? { repairedPath: await repairSession(path) } : {}) };
  } catch (error) {
    return { path, error: failureOf(error).message };
  }
}

function isSound({ report }: Finding): boolean {
  return report?.isHeaderReadable === true && report.problems.length === 0;
}

function findingText(finding: Finding, isRepair: boolean | undefined): string {
  const { path, report, error, repairedPath } = finding;
  const name = inertLine(path, MAX_COLUMNS);
  if (report === undefined) return `✗ ${name}\n  ${inertLine(error ?? "", MAX_COLUMNS)}\n`;
  if (isSound(finding)) return `✓ ${name}  ${report.entryCount} entries\n`;
  const problems = [
    ...(report.isHeaderReadable ? [] : ["The first line is no session header."]),
    ...report.problems.map(({ line, message }) =>
      line === undefined ? message : `line ${line}: ${message}`,
    ),
  ];
  const remedy =
    repairedPath === undefined
      ? isRepair === true
        ? []
        : ["--repair writes a repaired copy beside it; the file itself stays."]
      : [`Repaired copy: ${repairedPath}`];
  const lines = [...problems, ...remedy].map((line) => `  ${inertLine(line, MAX_COLUMNS)}`);
  return `✗ ${name}  ${report.entryCount} entries\n${lines.join("\n")}\n`;
}
