import type { ImageContent, Message, TextContent } from "../message.ts";
import type { Model } from "../model.ts";

/** Stands where an image was, for a model that takes none. */
export const IMAGE_PLACEHOLDER_TEXT = "[An image was here. This model cannot see images.]";

/** History for the model's eyes: images become a placeholder where it takes only text; a row of them becomes one. */
export function replaceUnseenImages(
  messages: readonly Message[],
  model: Pick<Model, "input">,
): readonly Message[] {
  if (model.input.includes("image")) return messages;
  return messages.map((message): Message => {
    if (message.role === "user" && typeof message.content !== "string") {
      return { ...message, content: withPlaceholders(message.content) };
    }
    return message.role === "toolResult"
      ? { ...message, content: withPlaceholders(message.content) }
      : message;
  });
}

function withPlaceholders(content: readonly (TextContent | ImageContent)[]): readonly TextContent[] {
  const parts: TextContent[] = [];
  let isRow = false;
  for (const part of content) {
    if (part.type === "text") parts.push(part);
    else if (!isRow) parts.push({ type: "text", text: IMAGE_PLACEHOLDER_TEXT });
    isRow = part.type === "image";
  }
  return parts;
}
