import { inertText } from "./terminal-text.ts";

/** What a failure says to a person and to the shell. */
export interface Failure {
  readonly message: string;
  readonly advice: string | undefined;
  readonly exitCode: number;
  readonly stack: string | undefined;
}

/** A failure from whatever was thrown; errors of the packages bring advice and exit code along. */
export function failureOf(error: unknown): Failure {
  const fields =
    typeof error === "object" && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
  return {
    message: error instanceof Error ? error.message : String(error),
    advice: typeof fields.advice === "string" ? fields.advice : undefined,
    exitCode: typeof fields.exitCode === "number" ? fields.exitCode : 1,
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** The lines for standard error: what happened, what to do, and the stack where it is asked for. */
export function failureText(failure: Failure, options: { readonly withStack: boolean }): string {
  const lines = [`coppice: ${failure.message.trim()}`];
  if (failure.advice !== undefined) lines.push(`  ${failure.advice}`);
  if (options.withStack && failure.stack !== undefined) lines.push(failure.stack);
  return inertText(`${lines.join("\n")}\n`);
}
