import type { AssistantMessage, Message } from "../message.ts";

/** Follows the text of an answer that the user stopped, so that the model does not take it for a whole one. */
export const INTERRUPTED_TEXT = "[The user interrupted this answer.]";

/**
 * History without failed answers: those that ended in an error are left out, those that were stopped keep only their
 * visible text, marked as interrupted. Neither keeps reasoning or calls, so no half of a pair can remain.
 */
export function dropFailedTurns(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): readonly Message[] => {
    if (message.role !== "assistant") return [message];
    if (message.stopReason === "error") return [];
    return message.stopReason === "aborted" ? interrupted(message) : [message];
  });
}

function interrupted(message: AssistantMessage): readonly AssistantMessage[] {
  const text = (message.content ?? [])
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("");
  if (text.trim() === "") return [];
  const marked = text.endsWith(INTERRUPTED_TEXT) ? text : `${text}\n\n${INTERRUPTED_TEXT}`;
  return [{ ...message, content: [{ type: "text", text: marked }] }];
}
