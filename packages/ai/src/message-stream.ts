import type { AssistantMessage } from "./message.ts";
import { isTerminal, type StreamEvent } from "./stream-event.ts";

/**
 * A model's answer as it arrives: an async iterable of events plus `result()`.
 *
 * One consumer. Nothing throws: failures end in an `error` event. Leaving the loop early aborts the request.
 * `result()` may be called with or without iterating and always settles.
 */
export interface MessageStream extends AsyncIterable<StreamEvent> {
  result(): Promise<AssistantMessage>;
}

export interface MessageStreamSource {
  /** Produces the events in order; the last one is terminal. Must not throw: `onThrow` turns a slip into an error event. */
  readonly events: () => AsyncGenerator<StreamEvent, void, void>;
  /** Called when the consumer leaves before the terminal event. */
  readonly abort: () => void;
  /** The terminal event for a source that threw or ended without one. */
  readonly onFailure: (error: unknown) => Extract<StreamEvent, { type: "error" }>;
}

/** A `MessageStream` over a generator of events, with the guarantees of the interface. */
export function createMessageStream(source: MessageStreamSource): MessageStream {
  const settled = Promise.withResolvers<AssistantMessage>();
  let started: AsyncGenerator<StreamEvent, void, void> | undefined;

  async function* run(): AsyncGenerator<StreamEvent, void, void> {
    let finished = false;
    const finish = (event: Extract<StreamEvent, { type: "done" | "error" }>) => {
      finished = true;
      settled.resolve(event.message);
      return event;
    };
    try {
      for await (const event of source.events()) {
        if (isTerminal(event)) {
          yield finish(event);
          return;
        }
        yield event;
      }
      yield finish(source.onFailure(undefined));
    } catch (error) {
      if (!finished) yield finish(source.onFailure(error));
    } finally {
      if (!finished) {
        source.abort();
        settled.resolve(source.onFailure(undefined).message);
      }
    }
  }

  const begin = () => {
    started ??= run();
    return started;
  };
  return {
    [Symbol.asyncIterator]: begin,
    async result() {
      if (started === undefined) {
        for await (const _ of begin()) {
          // Drained for its terminal event.
        }
      }
      return settled.promise;
    },
  };
}
