import type { Dispatch, Listeners } from "./listeners.ts";

/**
 * The time between idle and the last `agent_settled` listener, in which the next run may be asked for.
 *
 * That run waits for every listener except the one that asked for it: such a listener may be waiting for the run.
 */
export class SettledMoment {
  #over: Promise<void> | undefined;
  #release: () => void = () => undefined;

  /** Resolves when the listeners are through; undefined when none is being told. Lets go of the one that asks. */
  enter(): Promise<void> | undefined {
    this.#release();
    return this.#over;
  }

  async tell(listeners: Listeners, dispatch: Dispatch): Promise<void> {
    const over = Promise.withResolvers<void>();
    this.#over = over.promise;
    const releaseEach = () =>
      new Promise<void>((resolve) => {
        this.#release = resolve;
      });
    await listeners.dispatch({ ...dispatch, releaseEach });
    this.#over = undefined;
    over.resolve();
  }
}
