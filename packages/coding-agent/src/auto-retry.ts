import type { AssistantMessage } from "@coppice/ai";
import type { EventBus } from "./event-bus.ts";
import { type RetrySettings, retryDelayMs } from "./retry-policy.ts";
import type { Sleep } from "./sleep.ts";

export interface AutoRetryOptions {
  readonly settings: RetrySettings;
  readonly events: EventBus;
  readonly sleep: Sleep;
}

/**
 * Counts failed attempts of one request and waits between them.
 *
 * States: resting (0 attempts) → waiting (n) → resting, by a success, by giving up, or by an abort. The count belongs to
 * one request: every success resets it.
 */
export class AutoRetry {
  readonly #settings: RetrySettings;
  readonly #events: EventBus;
  readonly #sleep: Sleep;
  #attempt = 0;

  constructor(options: AutoRetryOptions) {
    this.#settings = options.settings;
    this.#events = options.events;
    this.#sleep = options.sleep;
  }

  /** A request succeeded. */
  async succeeded(): Promise<void> {
    await this.#end({ success: true });
  }

  /** Whether a failed answer would be tried again now. */
  wouldRetry(message: AssistantMessage): boolean {
    return retryDelayMs(message.error, this.#attempt + 1, this.#settings) !== undefined;
  }

  /** Waits for the next attempt. False when there is none: not transient, no attempt left, or aborted meanwhile. */
  async next(message: AssistantMessage, signal: AbortSignal): Promise<boolean> {
    const delayMs = retryDelayMs(message.error, this.#attempt + 1, this.#settings);
    const errorMessage = message.errorMessage ?? message.error?.message ?? "The model call failed.";
    if (delayMs === undefined) {
      await this.#end({ success: false, finalError: errorMessage });
      return false;
    }
    this.#attempt += 1;
    const { maxAttempts } = this.#settings;
    await this.#events.emit({
      type: "auto_retry_start",
      attempt: this.#attempt,
      maxAttempts,
      delayMs,
      errorMessage,
    });
    await this.#sleep(delayMs, signal);
    if (!signal.aborted) return true;
    await this.#end({ success: false, finalError: "Stopped while waiting for the next attempt." });
    return false;
  }

  async #end(outcome: { readonly success: boolean; readonly finalError?: string }): Promise<void> {
    const attempt = this.#attempt;
    this.#attempt = 0;
    if (attempt > 0) await this.#events.emit({ type: "auto_retry_end", attempt, ...outcome });
  }
}
