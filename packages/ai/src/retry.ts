import { type Failure, untilEarlyFailure } from "./early-failure.ts";
import { failureEvent } from "./failure.ts";
import type { AssistantMessage } from "./message.ts";
import { createMessageStream, type EventBatch } from "./message-stream.ts";
import type { StreamMiddleware } from "./middleware.ts";
import type { StreamFunction } from "./provider.ts";
import type { ChatRequest } from "./request.ts";
import { DEFAULT_RETRY_SETTINGS, type RetrySettings, retryDelayMs } from "./retry-delay.ts";
import type { StreamEvent } from "./stream-event.ts";
import { wait as realWait } from "./wait.ts";

/** A failed attempt that will be repeated. */
export interface RetryNotice {
  /** Failed attempts so far, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly message: AssistantMessage;
}

export interface RetryOptions extends Partial<RetrySettings> {
  /** 0 ≤ random < 1. */
  readonly random?: () => number;
  /** Resolves after `delayMs`; rejects when the signal aborts. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly onRetry?: (notice: RetryNotice) => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/**
 * Repeats calls that failed for a passing reason before anything visible arrived.
 *
 * The consumer sees one stream. Once text, thinking or a call was seen, a failure is final here: gluing two answers
 * would repeat text or run a tool twice, so the layer that can hide the broken attempt decides. A wait ends at once when
 * the request is aborted.
 */
export function retryMiddleware(options: RetryOptions = {}): StreamMiddleware {
  const settings: RetrySettings = { ...DEFAULT_RETRY_SETTINGS, ...options };
  return (next) => (request) => {
    const controller = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
    const inner: ChatRequest = { ...request, signal };
    const now = options.now ?? Date.now;
    return createMessageStream({
      abort: () => controller.abort(),
      onFailure: (error) => failureEvent({ request, error, aborted: signal.aborted, now: now() }),
      events: () => attempts({ next, request: inner, signal, settings, options }),
    });
  };
}

interface Attempts {
  readonly next: StreamFunction;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  readonly settings: RetrySettings;
  readonly options: RetryOptions;
}

async function* attempts({
  next,
  request,
  signal,
  settings,
  options,
}: Attempts): AsyncGenerator<StreamEvent | EventBatch, void, void> {
  for (let attempt = 1; ; attempt++) {
    const failure = yield* untilEarlyFailure(next(request), () => true);
    if (failure === undefined) return;
    const error = failure.message.error;
    const mayRepeat = error?.retryable === true && attempt <= settings.maxRetries && !signal.aborted;
    const delayMs =
      mayRepeat && error !== undefined
        ? retryDelayMs({ settings, error, attempt, random: (options.random ?? Math.random)() })
        : undefined;
    if (delayMs === undefined) {
      yield mayRepeat ? tooLong(failure, settings) : failure;
      return;
    }
    options.onRetry?.({ attempt, delayMs, message: failure.message });
    await (options.wait ?? realWait)(delayMs, signal);
  }
}

/** Waiting in silence for an hour helps nobody: the failure says how long the server wants. */
function tooLong(failure: Failure, settings: RetrySettings): Failure {
  const seconds = Math.ceil((failure.message.error?.retryAfterMs ?? 0) / 1000);
  const text = `${failure.message.errorMessage ?? "The call failed."} The server asks to wait ${seconds} s, more than the limit of ${settings.maxDelayMs / 1000} s.`;
  return {
    ...failure,
    message: {
      ...failure.message,
      errorMessage: text,
      ...(failure.message.error === undefined ? {} : { error: { ...failure.message.error, message: text } }),
    },
  };
}
