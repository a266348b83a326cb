import type { UserMessage } from "@coppice/ai";

/** Which queue a message goes to: before the next request of what runs, or for when it would end. */
export type QueueKind = "steering" | "followUp";

interface Arrival {
  readonly kind: QueueKind;
  /** As the user sent it. */
  readonly message: UserMessage;
  readonly controller: AbortController;
}

export interface Arriving {
  readonly kind: QueueKind;
  /** As the user sent it. */
  readonly message: UserMessage;
  /** Fires when the message is taken back; what `work` resolves with is dropped then. */
  readonly work: (signal: AbortSignal) => Promise<UserMessage>;
  readonly queue: (message: UserMessage) => void;
  readonly onFailure: (error: unknown) => Promise<void>;
}

/**
 * Messages between the moment when the user queues them and the moment when they are queued: the `input` hook has them.
 *
 * One after the other, so that they are queued in the order in which they were sent, each once.
 */
export class ArrivingMessages {
  #arrivals: readonly Arrival[] = [];
  #last: Promise<void> = Promise.resolve();

  get size(): number {
    return this.#arrivals.length;
  }

  /** As the user sent them, oldest first. */
  of(kind: QueueKind): readonly UserMessage[] {
    return this.#arrivals.filter((arrival) => arrival.kind === kind).map(({ message }) => message);
  }

  /** Resolves when this message is queued, was taken back or failed. Never rejects. */
  add({ kind, message, work, queue, onFailure }: Arriving): Promise<void> {
    const arrival: Arrival = { kind, message, controller: new AbortController() };
    const { signal } = arrival.controller;
    this.#arrivals = [...this.#arrivals, arrival];
    const before = this.#last;
    this.#last = (async () => {
      await before;
      try {
        if (signal.aborted) return;
        const arrived = await work(signal);
        if (!signal.aborted) queue(arrived);
      } catch (error) {
        if (!signal.aborted) await onFailure(error);
      } finally {
        this.#arrivals = this.#arrivals.filter((other) => other !== arrival);
      }
    })();
    return this.#last;
  }

  /** Takes everything back that is on its way. */
  clear(): void {
    for (const { controller } of this.#arrivals) controller.abort();
    this.#arrivals = [];
    // A hook that hangs on what was taken back holds nothing up.
    this.#last = Promise.resolve();
  }

  /** Resolves when nothing is on its way, or the signal fires. */
  async settled(signal: AbortSignal): Promise<void> {
    const stopped = Promise.withResolvers<void>();
    const stop = () => stopped.resolve();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (this.size > 0 && !signal.aborted) await Promise.race([this.#last, stopped.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}
