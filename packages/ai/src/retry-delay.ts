/** Codes of faults between us and the server; they are usually over at once. */
const TRANSPORT_CODES: ReadonlySet<string> = new Set(["network", "truncated_stream", "malformed_stream"]);
const FIRST_TRANSPORT_DELAY_MS = 250;

export interface RetrySettings {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** Wait before the first repetition; doubles with each. */
  readonly baseDelayMs: number;
  /** Longest wait of our own, and the longest that a server may ask for before we give up instead. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY_SETTINGS: RetrySettings = { maxRetries: 3, baseDelayMs: 2000, maxDelayMs: 60_000 };

export interface RetryDelayOptions {
  readonly settings: RetrySettings;
  readonly error: { readonly code: string; readonly retryAfterMs?: number | undefined };
  /** Failed attempts so far, at least 1. */
  readonly attempt: number;
  /** 0 ≤ random < 1. */
  readonly random: number;
}

/**
 * How long to wait before the next attempt, in milliseconds; undefined when the server wants longer than we would wait.
 *
 * A server's wish comes first. Without one the first repetition of a transport fault comes within half a second; the
 * rest backs off by doubling, with up to a quarter of jitter.
 */
export function retryDelayMs({ settings, error, attempt, random }: RetryDelayOptions): number | undefined {
  const jitter = 1 + random / 4;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs > settings.maxDelayMs ? undefined : error.retryAfterMs;
  }
  if (attempt === 1 && TRANSPORT_CODES.has(error.code)) {
    return Math.min(settings.maxDelayMs, FIRST_TRANSPORT_DELAY_MS * jitter);
  }
  return Math.min(settings.maxDelayMs, settings.baseDelayMs * 2 ** (attempt - 1) * jitter);
}
