import type { ImageContent, Message, TextContent } from "../message.ts";
import type { ImageRule } from "../provider.ts";
import { imageSize } from "./image-size.ts";

/** Too many images go in steps of at most this size, so that the beginning of a request changes rarely. */
const MAX_DROP_STEP = 20;
/** The step where few are allowed, as a part of them. */
const DROP_SHARE = 0.2;
/** How much of the allowed bytes stays when older images have to go, for the same reason. */
const KEPT_SHARE = 0.75;

/**
 * History whose images the target accepts: each kind, size and number that it would refuse becomes a note in its place.
 *
 * A session would otherwise be stuck, since old images are sent again with every request. The oldest go first.
 */
export function limitImages(messages: readonly Message[], rule: ImageRule): readonly Message[] {
  const images = imagesIn(messages);
  if (images.length === 0) return messages;
  const maxSidePx = images.length > rule.manyImages ? rule.maxSidePxOfMany : rule.maxSidePx;
  const notes = images.map((image) => refusalOf(image, rule, maxSidePx));
  const accepted = images.filter((_, index) => notes[index] === undefined);
  let toDrop = oldestToDrop(accepted, rule);
  let index = 0;
  const limited = (part: TextContent | ImageContent): TextContent | ImageContent => {
    if (part.type === "text") return part;
    const refusal = notes[index++];
    if (refusal !== undefined) return note(refusal);
    return toDrop-- > 0 ? note("An older image was here; a request can only hold so many.") : part;
  };
  return messages.map((message): Message => {
    if (message.role === "user" && typeof message.content !== "string") {
      return { ...message, content: message.content.map(limited) };
    }
    return message.role === "toolResult" ? { ...message, content: message.content.map(limited) } : message;
  });
}

/** Why one image would be refused; undefined = it would not. */
function refusalOf({ data, mimeType }: ImageContent, rule: ImageRule, maxSidePx: number): string | undefined {
  if (!rule.mimeTypes.includes(mimeType.toLowerCase())) {
    return `An image of type ${mimeType} was here; this model cannot read it.`;
  }
  if (data.length > rule.maxBase64Bytes) {
    return `An image of ${Math.round((data.length * 3) / 4)} bytes was here; it is too large to be sent.`;
  }
  const size = imageSize(data);
  if (size === undefined || Math.max(size.widthPx, size.heightPx) <= maxSidePx) return undefined;
  return `An image of ${size.widthPx} × ${size.heightPx} pixels was here; it is too large to be sent.`;
}

/** How many of the oldest images are too many. A longer history drops the same ones first. */
function oldestToDrop(images: readonly ImageContent[], rule: ImageRule): number {
  const step = Math.min(MAX_DROP_STEP, Math.max(1, Math.floor(rule.maxImages * DROP_SHARE)));
  let [dropped, bytes] = [0, 0];
  const drop = () => {
    bytes -= images[dropped]?.data.length ?? 0;
    dropped++;
  };
  for (const [index, { data }] of images.entries()) {
    bytes += data.length;
    if (index + 1 - dropped > rule.maxImages) for (let count = 0; count < step; count++) drop();
    if (bytes <= rule.maxTotalBase64Bytes) continue;
    // The newest is what a request is about: room for later ones is no reason to drop it.
    while (dropped < index && bytes > rule.maxTotalBase64Bytes * KEPT_SHARE) drop();
    if (bytes > rule.maxTotalBase64Bytes) drop();
  }
  return dropped;
}

function imagesIn(messages: readonly Message[]): readonly ImageContent[] {
  const images: ImageContent[] = [];
  for (const { role, content } of messages) {
    if ((role !== "user" && role !== "toolResult") || typeof content === "string") continue;
    for (const part of content) if (part.type === "image") images.push(part);
  }
  return images;
}

function note(text: string): TextContent {
  return { type: "text", text: `[${text}]` };
}
