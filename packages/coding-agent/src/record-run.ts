import type { Agent } from "@coppice/agent";
import type { AutoRetry } from "./auto-retry.ts";
import type { EventBus } from "./event-bus.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { Prompting } from "./prompting.ts";

export interface RecordRunOptions {
  readonly agent: Agent;
  readonly writes: PendingWrites;
  readonly retry: AutoRetry;
  readonly events: EventBus;
  readonly prompting: Prompting;
}

/**
 * Follows an agent's events: each is on disk first (where it has to be) and heard by listeners then.
 *
 * An answer whose calls could not be stored ends the run before they start.
 */
export function recordRun(options: RecordRunOptions): () => void {
  const { agent, writes, retry, events, prompting } = options;
  return agent.subscribe(async (event) => {
    try {
      await writes.handleAgentEvent(event);
    } catch (error) {
      // Why was told by the flush itself.
      agent.abort(error);
    }
    // Told by the prompt itself, once the next operation may start.
    if (event.type !== "agent_settled") await events.emit(event);
    if (event.type !== "message_end") return;
    const { message } = event;
    if (message.role === "assistant") {
      if (message.stopReason !== "error" && message.stopReason !== "aborted") await retry.succeeded();
    } else await prompting.queueChanged();
  });
}
