import { CliError } from "./cli-error.ts";

/** The failure of standard output: a full disk under it is no reader that went away. */
export function unwritable(cause: Error): CliError {
  return new CliError("output_failed", `Standard output cannot be written: ${cause.message}`, { cause });
}
