import { type AssistantMessage, textOf, toolCallsOf } from "@coppice/ai";
import { CompactionError, type CompactionErrorCode } from "./errors.ts";
import { doubtAbout, type SummarySource } from "./summary-doubts.ts";

/** Headings that a summary must have at least: fewer is a refusal, an answer or an echo, not a summary. */
const LEAST_HEADINGS = 3;
const LEAST_PREFIX_HEADINGS = 2;

const HEADING = /^#{2,3} \S/gm;

/** Marks of the serialised input. */
const ECHO = /<conversation>|^\[(User|Assistant|Tool result)\]: [\s\S]*^\[(User|Assistant|Tool result)\]: /m;

/** What a summary is of: the beginning of a turn has a smaller shape. */
export type SummaryKind = "history" | "turnPrefix" | "branch";

export interface AcceptanceOptions {
  readonly kind: SummaryKind;
  /** An answer that only repeats this is none. */
  readonly previous?: string | undefined;
  readonly source?: SummarySource;
}

/**
 * The text of a good answer to a summary request.
 * Throws `CompactionError`: `aborted`, `input_too_large` (the provider said the request was too long),
 * `summary_failed` (the call failed), `summary_rejected` (cut off, a tool call, blank, or not the shape of a summary).
 */
export function acceptedSummary(answer: AssistantMessage, options: AcceptanceOptions): string {
  const text = completeText(answer);
  if (ECHO.test(text)) {
    throw failure(
      "summary_rejected",
      "The summary model repeated the conversation instead of summarising it.",
    );
  }
  if (text === options.previous?.trim()) {
    throw failure(
      "summary_rejected",
      "The summary model repeated the previous summary and took in nothing new.",
    );
  }
  const headings = text.match(HEADING)?.length ?? 0;
  const least = options.kind === "turnPrefix" ? LEAST_PREFIX_HEADINGS : LEAST_HEADINGS;
  if (headings < least) {
    throw failure(
      "summary_rejected",
      `The answer has ${headings} of at least ${least} headings: it is no summary.`,
    );
  }
  const doubt = doubtAbout(text, options.source);
  if (doubt !== undefined) throw failure("summary_rejected", `The summary is refused. ${doubt}`);
  return text;
}

/** The text of an answer that was finished and is only text. */
function completeText(answer: AssistantMessage): string {
  if (answer.stopReason === "aborted") throw failure("aborted", "The summary was stopped.");
  if (answer.stopReason === "error") throw providerFailure(answer);
  if (toolCallsOf(answer).length > 0) {
    throw failure("summary_rejected", "The summary model called a tool instead of writing a summary.");
  }
  if (answer.stopReason === "length") {
    throw failure("summary_rejected", "The summary was cut off at the model's output limit.");
  }
  if (answer.stopReason !== "stop") {
    throw failure("summary_rejected", `The summary ended with "${answer.stopReason}" instead of "stop".`);
  }
  const text = textOf(answer.content).trim();
  if (text === "") throw failure("summary_rejected", "The summary model answered without text.");
  return text;
}

function providerFailure(answer: AssistantMessage): CompactionError {
  const reason = answer.errorMessage ?? answer.error?.message ?? "unknown reason";
  const tooLong = answer.error?.code === "context_overflow";
  return new CompactionError({
    code: tooLong ? "input_too_large" : "summary_failed",
    message: tooLong
      ? `The summary request does not fit the model: ${reason}`
      : `The summary request failed: ${reason}`,
    retryable: answer.error?.retryable ?? false,
    ...(answer.error === undefined ? {} : { data: { error: answer.error } }),
  });
}

function failure(code: CompactionErrorCode, message: string): CompactionError {
  return new CompactionError({ code, message });
}
