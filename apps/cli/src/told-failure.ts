import { readEnvironment } from "./env.ts";
import { exitCodeOfSignal } from "./exit-codes.ts";
import { failureOf, failureText } from "./render/error-text.ts";
import { unwritable } from "./unwritable.ts";

/** What is said on standard error of an end, and the exit code. */
export interface ToldFailure {
  /** With its line ends; empty where nobody is to be told. */
  readonly text: string;
  readonly exitCode: number;
}

/** Of a standard output that failed. A reader that went away is told nothing. */
export function toldUnwritable(error: NodeJS.ErrnoException): ToldFailure {
  return error.code === "EPIPE"
    ? { text: "", exitCode: exitCodeOfSignal("SIGPIPE") }
    : toldFailure(unwritable(error));
}

/** Of what ended the program. */
export function toldFailure(error: unknown): ToldFailure {
  const failure = failureOf(error);
  const text = failureText(failure, { withStack: readEnvironment().isDebug });
  return { text, exitCode: failure.exitCode };
}
