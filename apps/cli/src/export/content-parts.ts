import { formatBytes } from "@coppice/coding-agent";
import { base64ByteCount, imageTypeName, isBase64 } from "../render/image-facts.ts";
import type { ContentPart } from "./export-data.ts";
import { asList, asRecord, asText } from "./loose-value.ts";

/** Base64 characters of one image; a screenshot has one or two million. */
const MAX_IMAGE_CHARACTERS = 12_000_000;

/** Content of a message as parts for the page, in order. Takes whatever a session file may hold there. */
export function contentParts(content: unknown): readonly ContentPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return asList(content).map((block) => contentPart(asRecord(block)));
}

function contentPart(block: Readonly<Record<string, unknown>>): ContentPart {
  if (block.type === "image") return imagePart(asText(block.mimeType), asText(block.data));
  const text = block.type === "text" ? asText(block.text) : JSON.stringify(block, null, 2);
  return { type: "text", text };
}

function imagePart(mimeType: string, data: string): ContentPart {
  const omitted = (why: string): ContentPart => ({
    type: "omitted",
    reason: `image of type ${mimeType || "unknown"}, ${formatBytes(base64ByteCount(data))}: ${why}`,
  });
  if (imageTypeName(mimeType) === undefined) return omitted("this type is not embedded");
  if (data.length > MAX_IMAGE_CHARACTERS) return omitted("too large to embed");
  // Some wrap its lines.
  const whole = data.replace(/\s+/g, "");
  return isBase64(whole) ? { type: "image", mimeType, data: whole } : omitted("not valid base64");
}
