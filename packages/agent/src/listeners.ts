import type { AgentEvent } from "./events.ts";

/**
 * Sees every event; the run waits for it before it goes on. `signal` is the run's own.
 *
 * Do not wait for the run inside a listener (`waitForIdle`, `prompt`): the run waits for the listener. Only
 * `agent_settled` may start the next run.
 */
export type AgentListener = (event: AgentEvent, signal: AbortSignal) => void | Promise<void>;

/** Told of a listener that threw; the run goes on. */
export type ListenerErrorHandler = (error: unknown, event: AgentEvent) => void;

export interface Dispatch {
  readonly event: AgentEvent;
  readonly signal: AbortSignal;
  readonly onError: ListenerErrorHandler;
  /** Gives, for each listener, a promise that ends the waiting for it (not its work). */
  readonly releaseEach?: () => Promise<void>;
}

/** Listeners in order of subscription, each awaited. Additions and removals count from the next event. */
export class Listeners {
  #listeners: readonly AgentListener[] = [];

  add(listener: AgentListener): () => void {
    // Wrapped, so that of a function subscribed twice each subscription is removed on its own.
    const entry: AgentListener = (event, signal) => listener(event, signal);
    this.#listeners = [...this.#listeners, entry];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== entry);
    };
  }

  /** Resolves when every listener has finished or was let go of. */
  async dispatch(dispatch: Dispatch): Promise<void> {
    for (const listener of this.#listeners) {
      const released = dispatch.releaseEach?.();
      const finished = call(listener, dispatch);
      await (released === undefined ? finished : Promise.race([finished, released]));
    }
  }
}

async function call(listener: AgentListener, { event, signal, onError }: Dispatch): Promise<void> {
  try {
    await listener(event, signal);
  } catch (error) {
    onError(error, event);
  }
}
