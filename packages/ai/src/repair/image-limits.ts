import type { ImageContent, Message, TextContent } from "../message.ts";
import type { ImageRule } from "../provider.ts";
import { imageSize } from "./image-size.ts";

/** Too many images go in steps of this size, so that the beginning of a request changes rarely. */
const DROP_STEP = 20;

/**
 * History whose images the target accepts: each kind, size and number that it would refuse becomes a note in its place.
 *
 * A session would otherwise be stuck, since old images are sent again with every request. The oldest go first.
 */
export function limitImages(messages: readonly Message[], rule: ImageRule): readonly Message[] {
  const count = imagesIn(messages);
  if (count === 0) return messages;
  const excess = count - rule.maxImages;
  let toDrop = excess <= 0 ? 0 : Math.min(count, Math.ceil(excess / DROP_STEP) * DROP_STEP);
  const maxSidePx = count > rule.manyImages ? rule.maxSidePxOfMany : rule.maxSidePx;
  const limited = (part: TextContent | ImageContent): TextContent | ImageContent => {
    if (part.type === "text") return part;
    if (toDrop > 0) {
      toDrop--;
      return note("An older image was here; a request can only hold so many.");
    }
    if (!rule.mimeTypes.includes(part.mimeType.toLowerCase())) {
      return note(`An image of type ${part.mimeType} was here; this model cannot read it.`);
    }
    const size = imageSize(part.data);
    const isTooLarge = size !== undefined && Math.max(size.widthPx, size.heightPx) > maxSidePx;
    return isTooLarge
      ? note(`An image of ${size.widthPx} × ${size.heightPx} pixels was here; it is too large to be sent.`)
      : part;
  };
  return messages.map((message): Message => {
    if (message.role === "user" && typeof message.content !== "string") {
      return { ...message, content: message.content.map(limited) };
    }
    return message.role === "toolResult" ? { ...message, content: message.content.map(limited) } : message;
  });
}

function imagesIn(messages: readonly Message[]): number {
  let count = 0;
  for (const { role, content } of messages) {
    if ((role !== "user" && role !== "toolResult") || typeof content === "string") continue;
    for (const part of content) if (part.type === "image") count++;
  }
  return count;
}

function note(text: string): TextContent {
  return { type: "text", text: `[${text}]` };
}
