import type { AssistantMessage, EventOf, StreamEvent, ToolResultMessage } from "@coppice/ai";
import type { AgentMessage } from "./messages.ts";
import type { ToolResult } from "./tool.ts";

/**
 * One row per event of a run: key = `type`, value = payload. The union, listeners and JSON mode derive from this map.
 *
 * Order: agent_start, then per turn: turn_start, message_start/end of each injected message, message_start,
 * message_update*, message_end of the answer, tool_execution_* per call, message_start/end per result in source order
 * (as soon as the results before it are there), turn_end; then agent_end, and agent_settled once nothing is left to do.
 * An owner that retries makes several agent_start…agent_end before it. Only `agent_settled` means idle.
 */
export interface AgentEventMap {
  agent_start: object;
  turn_start: { readonly turnIndex: number };
  message_start: { readonly message: AgentMessage };
  /** A delta of the assistant message in progress. `message` is built so far and immutable. */
  message_update: { readonly message: AssistantMessage; readonly event: StreamEvent };
  message_end: { readonly message: AgentMessage };
  tool_execution_start: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly args: Readonly<Record<string, unknown>>;
  };
  tool_execution_update: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly partial: ToolResult;
  };
  tool_execution_end: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly result: ToolResult;
    readonly isError: boolean;
    readonly durationMs: number;
  };
  turn_end: {
    readonly turnIndex: number;
    readonly message: AssistantMessage;
    readonly toolResults: readonly ToolResultMessage[];
  };
  /** `messages`: everything the run added, in order. */
  agent_end: { readonly messages: readonly AgentMessage[] };
  agent_settled: { readonly aborted: boolean };
}

export type AgentEvent = EventOf<AgentEventMap>;
