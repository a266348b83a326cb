import type { AgentEvent } from "@coppice/agent";

const LIFECYCLE_EVENTS = {
  agent_start: true,
  turn_start: true,
  message_start: true,
  message_update: true,
  message_end: true,
  tool_execution_start: true,
  tool_execution_update: true,
  tool_execution_end: true,
  turn_end: true,
  agent_end: true,
  agent_settled: true,
} as const satisfies Readonly<Record<AgentEvent["type"], true>>;

/** A moment of a run that extensions observe. */
export type LifecycleEventType = keyof typeof LIFECYCLE_EVENTS;

export type LifecycleEvent<Type extends LifecycleEventType> = Extract<AgentEvent, { readonly type: Type }>;

/** Whether a name is that of such a moment; every other one that may be observed is a hook. */
export function isLifecycleEvent(name: string): name is LifecycleEventType {
  return Object.hasOwn(LIFECYCLE_EVENTS, name);
}
