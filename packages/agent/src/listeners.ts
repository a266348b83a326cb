import type { AgentEvent } from "./events.ts";

/** Sees every event; the run waits for it. `signal` is the run's own. */
export type AgentListener = (event: AgentEvent, signal: AbortSignal) => void | Promise<void>;

/** Told of a listener that threw; the run goes on. */
export type ListenerErrorHandler = (error: unknown, event: AgentEvent) => void;

/** Listeners in order of subscription, each awaited. Changes count from the next event. */
export class Listeners {
  readonly #onError: ListenerErrorHandler;
  #listeners: readonly AgentListener[] = [];

  constructor(onError: ListenerErrorHandler) {
    this.#onError = onError;
  }

  add(listener: AgentListener): () => void {
    // Wrapped, so that a function subscribed twice is removed once.
    const entry: AgentListener = (event, signal) => listener(event, signal);
    this.#listeners = [...this.#listeners, entry];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== entry);
    };
  }

  /**
   * Resolves when every listener has finished. `releaseEach` gives, for each listener, a promise that ends the waiting
   * for it (not its work).
   */
  async dispatch(event: AgentEvent, signal: AbortSignal, releaseEach?: () => Promise<void>): Promise<void> {
    for (const listener of this.#listeners) {
      const released = releaseEach?.();
      const finished = this.#call(listener, event, signal);
      await (released === undefined ? finished : Promise.race([finished, released]));
    }
  }

  async #call(listener: AgentListener, event: AgentEvent, signal: AbortSignal): Promise<void> {
    try {
      await listener(event, signal);
    } catch (error) {
      this.#onError(error, event);
    }
  }
}
