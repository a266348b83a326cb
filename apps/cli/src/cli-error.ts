import { EXIT_CODES } from "./exit-codes.ts";

interface CliErrorRow {
  readonly advice: string;
  readonly exitCode: number;
}

/** Every way the command line itself fails. */
const CLI_ERRORS = {
  usage: { advice: "See `coppice --help`.", exitCode: EXIT_CODES.usage.code },
  no_model: {
    advice: "Set a provider's key, start a local server, or use `--model demo`.",
    exitCode: EXIT_CODES.auth.code,
  },
  no_key: { advice: "Set the provider's key in the environment.", exitCode: EXIT_CODES.auth.code },
  unknown_model: {
    advice: "`coppice --list-models` shows the models that are known.",
    exitCode: EXIT_CODES.usage.code,
  },
  no_session: {
    advice: "`coppice sessions list --all` shows what there is.",
    exitCode: EXIT_CODES.usage.code,
  },
  no_directory: {
    advice: "Change to a directory that is there, and start again.",
    exitCode: EXIT_CODES.usage.code,
  },
  file_exists: {
    advice: "Name another file, or move that one away.",
    exitCode: EXIT_CODES.failure.code,
  },
  cannot_write: {
    advice: "Name a file in a folder that is there and that you may write to.",
    exitCode: EXIT_CODES.failure.code,
  },
  output_failed: {
    advice: "Make room where it goes, or send it elsewhere.",
    exitCode: EXIT_CODES.failure.code,
  },
  invalid_config: { advice: "Correct the file, or move it away.", exitCode: EXIT_CODES.usage.code },
  no_program: {
    advice: "Install it, or name its file.",
    exitCode: EXIT_CODES.usage.code,
  },
  no_answer: {
    advice: "Try again, or pick another model with --model.",
    exitCode: EXIT_CODES.failure.code,
  },
  truncated_answer: {
    advice: "Continue with `coppice --continue`, or ask for less at once.",
    exitCode: EXIT_CODES.limit.code,
  },
} as const satisfies Readonly<Record<string, CliErrorRow>>;

export type CliErrorCode = keyof typeof CLI_ERRORS;

/**
 * A failure of the command line: what happened, what to do, and the exit status.
 *
 * It has the shape of the packages' errors without loading one of them: `--help` and usage errors stay instant.
 */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  readonly advice: string;
  readonly exitCode: number;

  constructor(code: CliErrorCode, message: string, options: { advice?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.advice = options.advice ?? CLI_ERRORS[code].advice;
    this.exitCode = CLI_ERRORS[code].exitCode;
  }
}
