import { CRASH_ADVICE } from "../crash-error.ts";
import { inertText } from "./terminal-text.ts";

/** What a failure says to a person and to the shell. */
export interface Failure {
  readonly message: string;
  readonly advice: string | undefined;
  readonly exitCode: number;
  readonly stack: string | undefined;
}

/** What the command line can do about a session's error; the package's own advice knows no commands. */
const SESSION_ADVICE: Readonly<Record<string, string>> = {
  locked: "Close the other process, or go on in a copy: `coppice --fork ID`.",
  not_found: "`coppice sessions list --all` shows what there is.",
  ambiguous:
    "Ids begin with their time, so that those of one day begin alike: use more characters; `coppice sessions list --all` shows them.",
  not_a_session: "`coppice sessions doctor FILE` says what can be read of it; the file was left as it is.",
};

/** The process ends with what it could not write. */
const WRITE_ADVICE =
  "Check the disk and the permissions of the session folder, name another one with --session-dir, or keep nothing with --no-session.";

/** A failure from whatever was thrown; errors of the packages bring advice and exit code along. */
export function failureOf(error: unknown): Failure {
  const fields =
    typeof error === "object" && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
  return {
    message: error instanceof Error ? error.message : String(error),
    advice: adviceOf(fields) ?? (isMistake(error) ? CRASH_ADVICE : undefined),
    exitCode: typeof fields.exitCode === "number" ? fields.exitCode : 1,
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** What the language throws about the program itself. What happens outside of it has a code, or a cause with one. */
function isMistake(error: unknown): boolean {
  const isOfLanguage = [TypeError, ReferenceError, RangeError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
  return isOfLanguage && !hasCode(error) && !hasCode((error as Error).cause);
}

function hasCode(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error;
}

function adviceOf({ name, code, advice, data }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof code !== "string") return typeof advice === "string" ? advice : undefined;
  if (code === "write_failed") return WRITE_ADVICE;
  const own = name === "SessionError" ? SESSION_ADVICE[code] : undefined;
  // What the package knows of a lock on another host comes first.
  if (own !== undefined && isLockElsewhere(data) && typeof advice === "string") return `${advice}\n  ${own}`;
  return own ?? (typeof advice === "string" ? advice : undefined);
}

function isLockElsewhere(data: unknown): boolean {
  return typeof data === "object" && data !== null && "isOtherHost" in data && data.isOtherHost === true;
}

/** What happened and what to do, for those who show one line. */
export function inOneLine({ message, advice }: Pick<Failure, "message" | "advice">): string {
  const text = advice === undefined ? message : `${message}${/[.!?]$/.test(message) ? "" : "."} ${advice}`;
  return text
    .split("\n")
    .map((line) => line.trim())
    .join(" ");
}

/** The lines for standard error: what happened, what to do, and the stack where it is asked for. */
export function failureText(failure: Failure, options: { readonly withStack: boolean }): string {
  const lines = [`coppice: ${failure.message.trim()}`];
  if (failure.advice !== undefined) lines.push(`  ${failure.advice}`);
  if (options.withStack && failure.stack !== undefined) lines.push(failure.stack);
  return inertText(`${lines.join("\n")}\n`);
}
