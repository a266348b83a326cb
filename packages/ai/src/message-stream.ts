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

/** Events that arrived together. */
export type EventBatch = readonly StreamEvent[];

export interface MessageStreamSource {
  /**
   * Produces the events in order, one by one or in batches; the last one is terminal. Must not throw: `onFailure`
   * turns a slip into an error event.
   */
  readonly events: () => AsyncGenerator<StreamEvent | EventBatch, void, void>;
  /** Called when the consumer leaves before the terminal event. */
  readonly abort: () => void;
  /** The terminal event for a source that threw or ended without one. */
  readonly onFailure: (error: unknown) => Extract<StreamEvent, { type: "error" }>;
}

/** How layers of this package read one another: a hop between async generators costs more than decoding an event. */
const batchSources = new WeakMap<MessageStream, () => AsyncGenerator<EventBatch, void, void>>();

/** The events of a stream in the batches in which they arrived, for layers that pass them on. */
export async function* batchesOf(stream: MessageStream): AsyncGenerator<EventBatch, void, void> {
  const batches = batchSources.get(stream);
  if (batches !== undefined) yield* batches();
  else for await (const event of stream) yield [event];
}

/** A `MessageStream` over a generator of events, with the guarantees of the interface. */
export function createMessageStream(source: MessageStreamSource): MessageStream {
  const settled = Promise.withResolvers<AssistantMessage>();
  let started: AsyncGenerator<StreamEvent, void, void> | undefined;

  const leave = () => {
    source.abort();
    settled.resolve(source.onFailure(undefined).message);
  };
  async function* batches(): AsyncGenerator<EventBatch, void, void> {
    let isDelivered = false;
    try {
      for await (const batch of guarded(source)) {
        const last = batch.at(-1);
        if (last !== undefined && isTerminal(last)) {
          isDelivered = true;
          settled.resolve(last.message);
        }
        yield batch;
      }
    } finally {
      if (!isDelivered) leave();
    }
  }
  async function* single(): AsyncGenerator<StreamEvent, void, void> {
    let isDelivered = false;
    try {
      for await (const batch of guarded(source)) {
        for (const event of batch) {
          if (isTerminal(event)) {
            isDelivered = true;
            settled.resolve(event.message);
          }
          yield event;
        }
      }
    } finally {
      if (!isDelivered) leave();
    }
  }

  const begin = () => {
    started ??= single();
    return started;
  };
  const stream: MessageStream = {
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
  batchSources.set(stream, batches);
  return stream;
}

/** The source's events up to its first terminal one, which is made up where the source has none or throws. */
async function* guarded(source: MessageStreamSource): AsyncGenerator<EventBatch, void, void> {
  let isFinished = false;
  try {
    for await (const item of source.events()) {
      const batch: EventBatch = "type" in item ? [item] : item;
      const end = batch.findIndex(isTerminal);
      isFinished = end >= 0;
      if (batch.length > 0) yield isFinished ? batch.slice(0, end + 1) : batch;
      if (isFinished) return;
    }
    yield [source.onFailure(undefined)];
  } catch (error) {
    if (!isFinished) yield [source.onFailure(error)];
  }
}
