import { readEnvironment } from "./env.ts";
import { exitCodeOfSignal } from "./exit-codes.ts";
import { failureOf, failureText } from "./render/error-text.ts";
import { unwritable } from "./unwritable.ts";

/** Prints what is known without a run; gives the exit code. */
export async function answerOnly(text: string): Promise<number> {
  const error = await failedWrite(process.stdout, text);
  return error === undefined ? 0 : tellUnwritable(error);
}

/** Tells that standard output failed; gives the exit code. A reader that went away is told nothing. */
export async function tellUnwritable(error: NodeJS.ErrnoException): Promise<number> {
  return error.code === "EPIPE" ? exitCodeOfSignal("SIGPIPE") : tellFailure(unwritable(error));
}

/** Tells on standard error what ended the program; gives the exit code. */
export async function tellFailure(error: unknown): Promise<number> {
  const failure = failureOf(error);
  await failedWrite(process.stderr, failureText(failure, { withStack: readEnvironment().isDebug }));
  return failure.exitCode;
}

/** Why a text was not written; undefined when it was. */
function failedWrite(stream: NodeJS.WriteStream, text: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    stream.once("error", resolve);
    stream.write(text, (error) => resolve(error ?? undefined));
  });
}
