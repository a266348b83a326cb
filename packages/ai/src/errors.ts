/** One row per error code of a package: its default advice, whether a retry can help, and the CLI's exit code. */
export interface ErrorCodeRow {
  /** What a person can do about it, one sentence. */
  readonly advice: string;
  readonly retryable: boolean;
  readonly exitCode: number;
}

export type ErrorTable<Code extends string = string> = Readonly<Record<Code, ErrorCodeRow>>;

/** Error data that survives JSON: what messages, events and session files carry. */
export interface ErrorInfo {
  readonly code: string;
  readonly retryable: boolean;
  readonly message?: string;
  /** What a person can do, where it is other than what the code says for every case of it. */
  readonly advice?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The context window, in tokens, that the provider named when it refused a request as too long. */
  readonly limitTokens?: number;
}

const BRAND = Symbol.for("coppice.error");

export interface CoppiceErrorOptions<Code extends string> {
  readonly code: Code;
  /** What happened, with the value. The advice of the code is kept apart. */
  readonly message: string;
  readonly advice?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Base of the one error class each package has. `code` comes from the package's table; `message` says what happened,
 * `advice` what to do.
 */
export abstract class CoppiceError<Code extends string = string> extends Error {
  readonly [BRAND] = true;
  readonly code: Code;
  readonly advice: string;
  readonly retryable: boolean;
  readonly exitCode: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(table: ErrorTable<Code>, options: CoppiceErrorOptions<Code>) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    const row = table[options.code];
    this.code = options.code;
    this.advice = options.advice ?? row.advice;
    this.retryable = options.retryable ?? row.retryable;
    this.exitCode = row.exitCode;
    this.data = options.data ?? {};
  }

  toJSON(): Record<string, unknown> {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      advice: this.advice,
      retryable: this.retryable,
      data: this.data,
    };
  }
}

/** True for an error of any Coppice package, also one from another copy of it. */
export function isCoppiceError(value: unknown): value is CoppiceError {
  return typeof value === "object" && value !== null && BRAND in value;
}
