import { toolCallsOf } from "@coppice/ai";
import type { ContextEntry } from "@coppice/session";

/**
 * How long calls of a stored conversation took, in milliseconds by the id of the call: from the end of the answer that
 * asked for them to their result, and so with the time that a person took to allow them.
 */
export function callDurations(entries: readonly ContextEntry[]): ReadonlyMap<string, number> {
  const askedMs = new Map<string, number>();
  const durations = new Map<string, number>();
  for (const { entry, messages } of entries) {
    for (const message of messages) {
      if (message.role === "assistant") {
        for (const { id } of toolCallsOf(message)) askedMs.set(id, Date.parse(entry.timestamp));
      } else if (message.role === "toolResult") {
        const durationMs = message.timestamp - (askedMs.get(message.toolCallId) ?? Number.NaN);
        if (durationMs >= 0) durations.set(message.toolCallId, durationMs);
      }
    }
  }
  return durations;
}
