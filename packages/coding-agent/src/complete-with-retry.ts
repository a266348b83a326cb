import type { AssistantMessage, ChatRequest, StreamFunction } from "@coppice/ai";
import { type RetrySettings, retryDelayMs } from "./retry-policy.ts";
import type { Sleep } from "./sleep.ts";

export interface CompleteOptions {
  readonly streamFunction: StreamFunction;
  readonly settings: RetrySettings;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
}

/** A model call run to its end, with transient failures tried again; for summaries. Resolves also for failed calls. */
export function completeWithRetry(
  options: CompleteOptions,
): (request: ChatRequest) => Promise<AssistantMessage> {
  const { streamFunction, settings, sleep, signal } = options;
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const message = await streamFunction({ ...request, signal }).result();
      const failed = message.stopReason === "error" && !signal.aborted;
      const delayMs = failed ? retryDelayMs(message.error, attempt, settings) : undefined;
      if (delayMs === undefined) return message;
      await sleep(delayMs, signal);
      if (signal.aborted) return message;
    }
  };
}
