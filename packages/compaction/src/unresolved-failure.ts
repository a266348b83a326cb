import type { AgentMessage } from "@coppice/agent";
import { type ToolCall, textOf, toolCallsOf } from "@coppice/ai";
import { headOf, tailOf } from "./clip-text.ts";

const COMMAND_CHARS = 300;
/** Errors stand at the end of an output. */
const ERROR_CHARS = 600;

/**
 * The newest failed tool call that no later call with the same arguments made good, as text; undefined without one.
 *
 * `carried` is such a text of the history before; its first line names the call.
 */
export function unresolvedFailure(messages: readonly AgentMessage[], carried?: string): string | undefined {
  const hasFailure = messages.some((message) => message.role === "toolResult" && message.isError);
  if (!hasFailure && carried === undefined) return undefined;
  const calls = new Map<string, ToolCall>();
  const succeeded = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") for (const call of toolCallsOf(message)) calls.set(call.id, call);
  }
  for (const message of messages.toReversed()) {
    if (message.role !== "toolResult") continue;
    const call = calls.get(message.toolCallId);
    const key = call === undefined ? message.toolCallId : callText(call);
    if (!message.isError) succeeded.add(key);
    else if (!succeeded.has(key)) {
      return `${nameOf(call === undefined ? message.toolName : key)}\n${tailOf(textOf(message.content).trim(), ERROR_CHARS)}`;
    }
  }
  const name = carried?.split("\n", 1)[0];
  return [...succeeded].some((key) => nameOf(key) === name) ? undefined : carried;
}

/** The name of a call on one line. */
function nameOf(key: string): string {
  return headOf(key.replace(/\s+/g, " "), COMMAND_CHARS);
}

function callText(call: ToolCall): string {
  const { command } = call.arguments;
  return `${call.name}: ${typeof command === "string" ? command : JSON.stringify(call.arguments)}`;
}
