import type { AgentEvent } from "@coppice/agent";
import { messageOf } from "./errors.ts";
import type { HarnessEvent, HarnessListener } from "./events.ts";
import type { Sleep } from "./sleep.ts";
import { withinLimit } from "./within-limit.ts";

/** How long one listener may hold up a run for one event before the run goes on without it. */
export const LISTENER_LIMIT_MS = 10_000;

/**
 * Hands events to listeners, one event after the other, each listener awaited.
 *
 * A listener that throws is reported as a `diagnostic` and never reaches the run; one that does not return within ten
 * seconds is left behind. Diagnostics from before the first subscription go to the first listener.
 */
export class EventBus {
  readonly #listeners = new Set<HarnessListener>();
  readonly #observers = new Set<HarnessListener>();
  readonly #sleep: Sleep;
  #early: HarnessEvent[] = [];

  constructor(options: { readonly sleep: Sleep }) {
    this.#sleep = options.sleep;
  }

  subscribe(listener: HarnessListener): () => void {
    // A wrapper of its own, so that one function subscribed twice is two subscriptions.
    const entry: HarnessListener = (event) => listener(event);
    this.#listeners.add(entry);
    const early = this.#early;
    this.#early = [];
    for (const event of early) void this.#deliver(entry, event);
    return () => this.#listeners.delete(entry);
  }

  /** Like `subscribe`, for parts of the agent: they are no audience, and diagnostics go on waiting for one. */
  observe(listener: HarnessListener): () => void {
    const entry: HarnessListener = (event) => listener(event);
    this.#observers.add(entry);
    return () => this.#observers.delete(entry);
  }

  async emit(event: AgentEvent | HarnessEvent): Promise<void> {
    if (this.#listeners.size === 0 && event.type === "diagnostic") this.#early.push(event);
    // A snapshot: what listeners add or remove applies to the next event.
    for (const listener of [...this.#observers, ...this.#listeners]) await this.#deliver(listener, event);
  }

  /** Emits a `diagnostic`. */
  async report(message: string, level: "warning" | "error" = "warning"): Promise<void> {
    await this.emit({ type: "diagnostic", level, message });
  }

  async #deliver(listener: HarnessListener, event: AgentEvent | HarnessEvent): Promise<void> {
    try {
      const pending = listener(event);
      if (pending !== undefined)
        await withinLimit(pending, { sleep: this.#sleep, limitMs: LISTENER_LIMIT_MS, what: event.type });
    } catch (error) {
      // A listener that fails on diagnostics is not told of its failure, or this would never end.
      if (event.type !== "diagnostic") {
        await this.report(`A listener of ${event.type} failed: ${messageOf(error)}`);
      }
    }
  }
}
