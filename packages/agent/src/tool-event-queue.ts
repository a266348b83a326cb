import type { AgentEvent } from "./events.ts";

interface Waiting {
  event: AgentEvent;
  readonly key: string | undefined;
  readonly delivered: () => void;
}

/** Carries the events of calls that run side by side into one ordered sequence. */
export class ToolEventQueue {
  readonly #waiting: Waiting[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  /** Resolves once every listener has seen the event. */
  emit(event: AgentEvent): Promise<void> {
    return new Promise((delivered) => {
      this.#waiting.push({ event, key: undefined, delivered });
      this.#wake();
    });
  }

  /** Emits a progress event; one of the same key that nobody has seen yet is replaced, so slow listeners cost no memory. */
  emitLatest(key: string, event: AgentEvent): void {
    const last = this.#waiting.find((entry) => entry.key === key);
    if (last !== undefined) last.event = event;
    else this.#waiting.push({ event, key, delivered: () => undefined });
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** The events in order, until `close`. One reader. */
  async *drain(): AsyncGenerator<AgentEvent, void, void> {
    while (true) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next.event;
        next.delivered();
      } else if (this.#closed) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
