import type { AgentMessage } from "@coppice/agent";
import { type AssistantMessage, textOf, toolCallsOf } from "@coppice/ai";
import { clipEnd, clipMiddle } from "./clip-text.ts";

/** Characters of one tool result that a summary's input shows. */
export const TOOL_RESULT_CHARS = 2000;
/** Characters of one string argument of a call that a summary's input shows. */
const ARGUMENT_CHARS = 1000;

/**
 * A conversation as text for a summariser, one part per message, in order.
 *
 * Thinking is left out, images are named, tool results and long arguments are clipped with a mark.
 */
export function serializeConversation(messages: readonly AgentMessage[]): string {
  return messages
    .map(serializeMessage)
    .filter((text) => text !== "")
    .join("\n\n");
}

/** One message as text; empty when a summariser should not see it. */
export function serializeMessage(message: AgentMessage): string {
  switch (message.role) {
    case "user":
      return part("User", readable(message.content));
    case "custom":
      return part("Context", readable(message.content));
    case "assistant":
      return serializeAssistant(message);
    case "toolResult": {
      const label = message.isError ? "Tool error" : "Tool result";
      return part(label, clipMiddle(readable(message.content), TOOL_RESULT_CHARS) || "(empty)");
    }
    case "bashExecution":
      return message.excludeFromContext === true
        ? ""
        : part("User ran", `${message.command}\n${clipMiddle(message.output, TOOL_RESULT_CHARS)}`);
    case "compactionSummary":
      return part("Summary of earlier history", message.summary);
    case "branchSummary":
      return part("Summary of a branch that was left", message.summary);
    case "system":
      return "";
    default:
      return part("Context", clipMiddle(JSON.stringify(message), TOOL_RESULT_CHARS));
  }
}

function serializeAssistant(message: AssistantMessage): string {
  const text = part("Assistant", textOf(message.content));
  const calls = typeof message.content === "string" ? [] : toolCallsOf(message);
  const listed = calls.map((call) => `${call.name}(${serializeArguments(call.arguments)})`).join("; ");
  const failure = message.stopReason === "error" ? part("Assistant failed", message.errorMessage ?? "") : "";
  return [text, part("Assistant tool calls", listed), failure].filter((line) => line !== "").join("\n\n");
}

function serializeArguments(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values ?? {})
    .map(([name, value]) => `${name}=${clipEnd(JSON.stringify(value) ?? "undefined", ARGUMENT_CHARS)}`)
    .join(", ");
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly mimeType?: string;
}

function readable(content: string | readonly Block[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((block) => (block.type === "image" ? `[image ${block.mimeType ?? ""}]` : (block.text ?? "")))
    .join("\n");
}

function part(label: string, text: string): string {
  return text.trim() === "" ? "" : `[${label}]: ${text}`;
}
