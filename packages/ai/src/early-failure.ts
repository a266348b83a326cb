import { batchesOf, type EventBatch, type MessageStream } from "./message-stream.ts";
import type { StreamEvent } from "./stream-event.ts";

export type Failure = Extract<StreamEvent, { type: "error" }>;

/**
 * Passes a stream on; `start` waits for the first block. A failure before anything visible that `takes` accepts is
 * returned instead, so that the caller may try again without the consumer having seen two answers.
 */
export async function* untilEarlyFailure(
  stream: MessageStream,
  takes: (failure: Failure) => boolean,
): AsyncGenerator<EventBatch, Failure | undefined, void> {
  const held: StreamEvent[] = [];
  let isSeen = false;
  for await (const batch of batchesOf(stream)) {
    if (isSeen) {
      yield batch;
      continue;
    }
    held.push(...batch);
    const first = held.find((event) => event.type !== "start");
    if (first === undefined) continue;
    if (first.type === "error" && takes(first)) return first;
    isSeen = true;
    yield held;
  }
  return undefined;
}
