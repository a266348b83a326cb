import type { ContentPart } from "../src/export/export-data.ts";
import { element } from "./dom.ts";
import { longText } from "./render-text.ts";
import { plainLine } from "./shown-text.ts";

/** A part of a message: text as it was written, an image, or why one is not there. */
export function contentElement(part: ContentPart): HTMLElement {
  if (part.type === "text") return longText(part.text);
  if (part.type === "omitted") return element("p", { class: "omitted" }, `[${plainLine(part.reason, 200)}]`);
  const source = `data:${part.mimeType};base64,${part.data.replace(/\s/g, "")}`;
  return element("img", { attributes: { src: source, alt: "image of the session", loading: "lazy" } });
}
