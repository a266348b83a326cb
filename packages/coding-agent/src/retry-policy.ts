import type { ErrorInfo } from "@coppice/ai";

export interface RetrySettings {
  readonly enabled: boolean;
  /** Retries after the first attempt. */
  readonly maxAttempts: number;
  /** Wait before the first retry; it doubles with each further one. */
  readonly baseDelayMs: number;
  /** No wait is longer; a server that asks for more ends the retries. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY_SETTINGS: RetrySettings = {
  enabled: true,
  maxAttempts: 3,
  baseDelayMs: 2000,
  maxDelayMs: 60_000,
};

/**
 * How long to wait before retry number `attempt` (from 1); undefined = do not retry.
 *
 * Only transient failures are retried. What the server asks for (`Retry-After`) counts when it is longer than our own
 * wait, and ends the retries when it is longer than the cap: asking again sooner would only fail again.
 */
export function retryDelayMs(
  error: ErrorInfo | undefined,
  attempt: number,
  settings: RetrySettings,
): number | undefined {
  if (!settings.enabled || error?.retryable !== true || attempt > settings.maxAttempts) return undefined;
  const asked = error.retryAfterMs ?? 0;
  if (asked > settings.maxDelayMs) return undefined;
  return Math.min(settings.maxDelayMs, Math.max(asked, settings.baseDelayMs * 2 ** (attempt - 1)));
}
