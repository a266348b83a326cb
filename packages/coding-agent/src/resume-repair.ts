import type { AgentMessage } from "@coppice/agent";
import { type ToolResultMessage, toolCallsOf } from "@coppice/ai";

const OUTCOME_UNKNOWN =
  "The outcome of this call is unknown: the run was interrupted before its result was recorded. It may have taken effect. Check before you repeat it.";

/**
 * Error results for the calls of the last answer that have none, in call order.
 *
 * Only the end of a transcript can lack results: a process that died in a tool, or a branch that starts at a call.
 * Appended with the next prompt, never on opening.
 */
export function missingToolResults(
  messages: readonly AgentMessage[],
  timestamp: number,
): readonly ToolResultMessage[] {
  const lastAnswer = messages.findLastIndex((message) => message.role !== "toolResult");
  const answer = messages[lastAnswer];
  if (answer?.role !== "assistant") return [];
  const answered = new Set(
    messages
      .slice(lastAnswer + 1)
      .map((message) => (message.role === "toolResult" ? message.toolCallId : "")),
  );
  return toolCallsOf(answer)
    .filter((call) => !answered.has(call.id))
    .map((call) => ({
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: OUTCOME_UNKNOWN }],
      isError: true,
      timestamp,
    }));
}
