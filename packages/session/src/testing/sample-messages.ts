import { type AssistantMessage, type ToolResultMessage, type UserMessage, ZERO_USAGE } from "@coppice/ai";

const DEFAULT_TIME = 1_767_225_600_000;

/** A user message with one text block. */
export function userMessage(text: string, timestamp = DEFAULT_TIME): UserMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp };
}

/** A finished assistant message; fields given replace the defaults. */
export function assistantMessage(text: string, fields: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "model-1",
    usage: ZERO_USAGE,
    stopReason: "stop",
    timestamp: DEFAULT_TIME,
    ...fields,
  };
}

/** The result of a call. */
export function toolResultMessage(toolCallId: string, text: string): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: DEFAULT_TIME,
  };
}
