import { type AssistantMessage, toolCallsOf } from "@coppice/ai";

/** Answers in a row none of whose calls can run; after that many, asking once more gives the same. */
export const MAX_ANSWERS_WITH_BROKEN_CALLS = 3;

/** Whether an answer has calls and none can run: it was cut by its length, or their arguments are no JSON objects. */
export function hasOnlyBrokenCalls(message: AssistantMessage): boolean {
  const calls = toolCallsOf(message);
  if (calls.length === 0) return false;
  return message.stopReason === "length" || calls.every((call) => call.argumentsError !== undefined);
}
