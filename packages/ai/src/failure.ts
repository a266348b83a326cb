import type { AssistantMessage } from "./message.ts";
import { ProviderError } from "./provider-error.ts";
import type { ChatRequest } from "./request.ts";
import { ZERO_USAGE } from "./usage.ts";

export interface FailureOptions {
  readonly request: ChatRequest;
  readonly error: unknown;
  readonly aborted: boolean;
  /** Unix milliseconds. */
  readonly now: number;
  /** What had arrived before the failure. */
  readonly partial?: AssistantMessage | undefined;
}

/** The terminal `error` event of a failed call: partial content is kept, usage is complete, the error is structured. */
export function failureEvent(options: FailureOptions): {
  readonly type: "error";
  readonly reason: "error" | "aborted";
  readonly message: AssistantMessage;
} {
  const { request, error, aborted, now, partial } = options;
  const failure = aborted
    ? new ProviderError({ code: "aborted", message: "The request was aborted." })
    : error instanceof ProviderError
      ? error
      : new ProviderError({
          code: error === undefined ? "truncated_stream" : "unknown",
          message:
            error === undefined
              ? "The stream ended before its terminal event."
              : error instanceof Error
                ? error.message
                : String(error),
          cause: error,
        });
  const reason = failure.code === "aborted" ? "aborted" : "error";
  const message: AssistantMessage = {
    role: "assistant",
    content: partial?.content ?? [],
    api: request.model.api,
    provider: request.model.provider,
    model: request.model.id,
    ...(partial?.responseModel === undefined ? {} : { responseModel: partial.responseModel }),
    ...(partial?.responseId === undefined ? {} : { responseId: partial.responseId }),
    usage: partial?.usage ?? ZERO_USAGE,
    stopReason: reason,
    errorMessage: failure.message,
    error: failure.toInfo(),
    ...(request.thinkingLevel === undefined ? {} : { thinkingLevel: request.thinkingLevel }),
    timestamp: partial?.timestamp ?? now,
  };
  return { type: "error", reason, message };
}
