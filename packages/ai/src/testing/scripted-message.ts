import type { AssistantMessage } from "../message.ts";
import { ZERO_USAGE } from "../usage.ts";

/** A finished answer for tests: empty, of no cost, at time 0; `fields` replace what matters there. */
export function scriptedMessage(fields: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "scripted",
    provider: "scripted",
    model: "scripted-1",
    usage: ZERO_USAGE,
    stopReason: "stop",
    timestamp: 0,
    ...fields,
  };
}
