import type { AgentRun } from "./agent-run.ts";
import type { AgentEvent } from "./events.ts";
import type { AgentMessage } from "./messages.ts";

/** Puts a message that is whole already into the transcript, with both of its events. */
export function* recordMessage(run: AgentRun, message: AgentMessage): Generator<AgentEvent, void, void> {
  yield { type: "message_start", message };
  yield endMessage(run, message);
}

/** Puts a message into the transcript; the event says so. */
export function endMessage(run: AgentRun, message: AgentMessage): AgentEvent {
  run.state.append(message);
  run.added.push(message);
  return { type: "message_end", message };
}
