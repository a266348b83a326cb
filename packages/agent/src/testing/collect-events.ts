import type { AgentEvent, AgentListener } from "../index.ts";

export interface EventSource {
  subscribe(listener: AgentListener): () => void;
}

export interface CollectedEvents {
  /** Everything so far, in order. */
  readonly events: readonly AgentEvent[];
  /** The events of one kind. */
  of<Type extends AgentEvent["type"]>(type: Type): readonly Extract<AgentEvent, { type: Type }>[];
  /** One line an event, short enough to compare whole runs by: see `eventLine`. */
  lines(): readonly string[];
  stop(): void;
}

/** Collects the events of an agent from now on. */
export function collectEvents(source: EventSource): CollectedEvents {
  const events: AgentEvent[] = [];
  const stop = source.subscribe((event) => {
    events.push(event);
  });
  return {
    events,
    of: (type) =>
      events.filter((event): event is Extract<AgentEvent, { type: typeof type }> => event.type === type),
    lines: () => events.map(eventLine),
    stop,
  };
}

/** An event as its type and what tells it apart: role of a message, kind of a delta, id of a call. */
export function eventLine(event: AgentEvent): string {
  switch (event.type) {
    case "message_start":
    case "message_end":
      return `${event.type} ${event.message.role}`;
    case "message_update":
      return `${event.type} ${event.event.type}`;
    case "tool_execution_start":
    case "tool_execution_update":
    case "tool_execution_end":
      return `${event.type} ${event.toolCallId}`;
    case "turn_start":
    case "turn_end":
      return `${event.type} ${event.turnIndex}`;
    default:
      return event.type;
  }
}
