import type { AssistantContent, AssistantMessage } from "./message.ts";
import type { StreamEvent } from "./stream-event.ts";

/**
 * The message after one more event; the argument is never changed. `message` is undefined before `start`.
 *
 * A call in progress shows `arguments: {}`; its text is parsed once, at its end. Folding all events of a stream gives
 * the message of its terminal event.
 */
export function assemble(
  message: AssistantMessage | undefined,
  event: StreamEvent,
): AssistantMessage | undefined {
  switch (event.type) {
    case "start":
    case "done":
    case "error":
      return event.message;
    case "text_start":
      return withBlock(message, event.contentIndex, { type: "text", text: "" });
    case "thinking_start":
      return withBlock(message, event.contentIndex, { type: "thinking", thinking: "" });
    case "toolcall_start":
      return withBlock(message, event.contentIndex, {
        type: "toolCall",
        id: event.id,
        name: event.name,
        arguments: {},
      });
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return withDelta(message, event.contentIndex, event.delta);
    case "text_end":
    case "thinking_end":
    case "toolcall_end":
      return withBlock(message, event.contentIndex, event.block);
  }
}

function withBlock(
  message: AssistantMessage | undefined,
  index: number,
  block: AssistantContent,
): AssistantMessage | undefined {
  if (message === undefined) return undefined;
  const content = [...message.content];
  content[index] = block;
  return { ...message, content };
}

function withDelta(
  message: AssistantMessage | undefined,
  index: number,
  delta: string,
): AssistantMessage | undefined {
  const block = message?.content[index];
  if (block?.type === "text") return withBlock(message, index, { ...block, text: block.text + delta });
  if (block?.type === "thinking")
    return withBlock(message, index, { ...block, thinking: block.thinking + delta });
  return message;
}
