import { CoppiceError, type CoppiceErrorOptions, type ErrorInfo, type ErrorTable } from "./errors.ts";

export type ProviderErrorCode =
  | "auth"
  | "quota"
  | "rate_limited"
  | "overloaded"
  | "context_overflow"
  | "content_filtered"
  | "bad_request"
  | "rejected_signature"
  | "timeout"
  | "network"
  | "truncated_stream"
  | "malformed_stream"
  | "empty_response"
  | "aborted"
  | "unknown_model"
  | "unknown_provider"
  | "ambiguous_model"
  | "unknown";

/** Every way a model call fails. Exit codes: 1 model failure, 2 usage, 3 credentials, 4 limits. */
export const PROVIDER_ERRORS: ErrorTable<ProviderErrorCode> = {
  auth: { advice: "Check the API key of this provider.", retryable: false, exitCode: 3 },
  quota: { advice: "Add credit or raise the limit at the provider.", retryable: false, exitCode: 4 },
  rate_limited: { advice: "Wait and try again.", retryable: true, exitCode: 4 },
  overloaded: { advice: "The provider is busy; try again later.", retryable: true, exitCode: 1 },
  context_overflow: {
    advice: "Compact the conversation or start a new session.",
    retryable: false,
    exitCode: 4,
  },
  content_filtered: {
    advice: "Rephrase the request; the provider refused it.",
    retryable: false,
    exitCode: 1,
  },
  bad_request: {
    advice: "Check the model's settings; the server refused the request.",
    retryable: false,
    exitCode: 1,
  },
  rejected_signature: {
    advice: "Go on: the reasoning that the server does not accept any more is left out.",
    retryable: false,
    exitCode: 1,
  },
  timeout: { advice: "Try again, or raise the timeout for slow servers.", retryable: true, exitCode: 1 },
  network: { advice: "Check the address of the server and the network.", retryable: true, exitCode: 1 },
  truncated_stream: { advice: "The answer broke off; try again.", retryable: true, exitCode: 1 },
  malformed_stream: {
    advice: "The server sent something that is not its format; try again.",
    retryable: true,
    exitCode: 1,
  },
  empty_response: {
    advice: "The model answered nothing; try again or pick another model.",
    retryable: true,
    exitCode: 1,
  },
  aborted: { advice: "Stopped on request.", retryable: false, exitCode: 130 },
  unknown_model: {
    advice: "Pick one of the models of `coppice --list-models`.",
    retryable: false,
    exitCode: 2,
  },
  unknown_provider: { advice: "Register the provider, or correct its name.", retryable: false, exitCode: 2 },
  ambiguous_model: { advice: "Name the provider as well: provider/model.", retryable: false, exitCode: 2 },
  unknown: { advice: "Try again; if it goes on, report it with the message.", retryable: false, exitCode: 1 },
};

export interface ProviderErrorOptions extends CoppiceErrorOptions<ProviderErrorCode> {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly limitTokens?: number;
}

/** A failed model call, classified. Never thrown once a stream exists: there it is the `error` of the last message. */
export class ProviderError extends CoppiceError<ProviderErrorCode> {
  override readonly name = "ProviderError";
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly limitTokens: number | undefined;

  constructor(options: ProviderErrorOptions) {
    super(PROVIDER_ERRORS, options);
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.limitTokens = options.limitTokens;
  }

  /** The plain data that messages and session files carry. */
  toInfo(): ErrorInfo {
    return {
      code: this.code,
      retryable: this.retryable,
      message: this.message,
      ...(this.advice === PROVIDER_ERRORS[this.code].advice ? {} : { advice: this.advice }),
      ...(this.status === undefined ? {} : { status: this.status }),
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
      ...(this.limitTokens === undefined ? {} : { limitTokens: this.limitTokens }),
    };
  }
}

export function isProviderError(value: unknown): value is ProviderError {
  return value instanceof Error && value.name === "ProviderError" && "toInfo" in value;
}
