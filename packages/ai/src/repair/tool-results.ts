import type { Message, ToolCall, ToolResultMessage } from "../message.ts";
import { toolCallsOf } from "../message.ts";

/** Answers a call whose result was lost: what it did is not known, and the model must not assume either way. */
export const MISSING_RESULT_TEXT =
  "No result was recorded for this call. It may or may not have run; check before repeating it.";

/**
 * History in which the results that follow an assistant message answer exactly its calls, in their order.
 *
 * Each call takes the first free result with its id that comes later, under the call's name; a missing one is filled in as an error. Results
 * without a call go. Messages between a call and its results move behind them.
 */
export function pairToolResults(messages: readonly Message[]): readonly Message[] {
  const free = resultsById(messages);
  return messages.flatMap((message, at): readonly Message[] => {
    if (message.role === "toolResult") return [];
    if (message.role !== "assistant") return [message];
    const results = toolCallsOf(message).map((call) => {
      const result = take(free.get(call.id), at);
      return result === undefined ? missingResult(call, message.timestamp) : named(result, call);
    });
    return [message, ...results];
  });
}

interface PlacedResult {
  readonly at: number;
  readonly result: ToolResultMessage;
}

function resultsById(messages: readonly Message[]): ReadonlyMap<string, PlacedResult[]> {
  const byId = new Map<string, PlacedResult[]>();
  for (const [at, message] of messages.entries()) {
    if (message.role !== "toolResult") continue;
    const known = byId.get(message.toolCallId);
    if (known) known.push({ at, result: message });
    else byId.set(message.toolCallId, [{ at, result: message }]);
  }
  return byId;
}

/** The first result after `at`; earlier ones belonged to nothing and are thrown away. */
function take(results: PlacedResult[] | undefined, at: number): ToolResultMessage | undefined {
  while (results !== undefined && results.length > 0) {
    const next = results.shift();
    if (next !== undefined && next.at > at) return next.result;
  }
  return undefined;
}

/** A result carries the name of the call it answers; Gemini pairs by it. */
function named(result: ToolResultMessage, { name }: ToolCall): ToolResultMessage {
  return result.toolName === name ? result : { ...result, toolName: name };
}

function missingResult(call: ToolCall, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: MISSING_RESULT_TEXT }],
    isError: true,
    timestamp,
  };
}
