import { CoppiceError, type CoppiceErrorOptions, type ErrorTable } from "@coppice/ai";

export type CompactionErrorCode =
  | "invalid_settings"
  | "window_too_small"
  | "input_too_large"
  | "summary_failed"
  | "summary_rejected"
  | "invalid_result"
  | "aborted";

/** Every way a compaction fails. The session is unchanged in all of them. */
export const COMPACTION_ERRORS: ErrorTable<CompactionErrorCode> = {
  invalid_settings: {
    advice: "Correct the value in the `compaction` settings.",
    retryable: false,
    exitCode: 2,
  },
  window_too_small: {
    advice: "Pick a model with a larger context window, or fewer tools and shorter instruction files.",
    retryable: false,
    exitCode: 4,
  },
  input_too_large: {
    advice: "Shorten the newest message, or pick a model with a larger context window.",
    retryable: false,
    exitCode: 4,
  },
  summary_failed: {
    advice: "Try again, or choose another summary model.",
    retryable: true,
    exitCode: 1,
  },
  summary_rejected: {
    advice: "Try again, or choose another summary model.",
    retryable: true,
    exitCode: 1,
  },
  invalid_result: {
    advice: "Correct the strategy or hook that supplied this compaction.",
    retryable: false,
    exitCode: 1,
  },
  aborted: { advice: "Stopped on request.", retryable: false, exitCode: 130 },
};

/** A compaction that did not happen; `code` says why, and nothing was stored. */
export class CompactionError extends CoppiceError<CompactionErrorCode> {
  override readonly name = "CompactionError";

  constructor(options: CoppiceErrorOptions<CompactionErrorCode>) {
    super(COMPACTION_ERRORS, options);
  }
}

/** True for a compaction error, also one from another copy of this package. */
export function isCompactionError(value: unknown): value is CompactionError {
  return value instanceof Error && value.name === "CompactionError" && "code" in value;
}
