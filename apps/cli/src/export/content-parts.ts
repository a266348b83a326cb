import type { ContentPart } from "./export-data.ts";
import { asList, asRecord, asText } from "./loose-value.ts";

/** Images that a browser draws without ever running anything in them; SVG is not among them. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Base64 characters of one image; a screenshot has one or two million. */
const MAX_IMAGE_CHARACTERS = 12_000_000;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

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
  const size = `${Math.ceil((data.length * 3) / 4 / 1024)} KiB`;
  const omitted = (why: string): ContentPart => ({
    type: "omitted",
    reason: `image of type ${mimeType || "unknown"}, ${size}: ${why}`,
  });
  if (!IMAGE_TYPES.has(mimeType)) return omitted("this type is not embedded");
  if (data.length > MAX_IMAGE_CHARACTERS) return omitted("too large to embed");
  return BASE64.test(data) ? { type: "image", mimeType, data } : omitted("not valid base64");
}
