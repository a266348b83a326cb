import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";

/**
 * An event as the JSON mode writes it: deltas without the message built so far.
 *
 * The message is whole in `message_start` and `message_end`; repeating it at every delta would make the output grow
 * with the square of the answer (fault kind CL-11).
 */
export function jsonEvent(event: AgentEvent | HarnessEvent): Readonly<Record<string, unknown>> {
  if (event.type !== "message_update") return event;
  const delta = event.event;
  const isWhole = delta.type === "start" || delta.type === "done" || delta.type === "error";
  return { type: event.type, event: isWhole ? { type: delta.type } : delta };
}
