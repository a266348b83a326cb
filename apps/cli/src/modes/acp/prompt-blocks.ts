import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ImageContent } from "@coppice/ai";
import type { PromptInput } from "../../prompt-input.ts";

/**
 * What an editor's user wrote, as a prompt: texts as they are, linked files by their path, attached ones in an element
 * that says where they are from. What a model cannot take (sound, other binary data) is named, not dropped.
 */
export function promptFromBlocks(blocks: readonly ContentBlock[]): PromptInput {
  const images: ImageContent[] = [];
  let text = "";
  for (const block of blocks) {
    if (block.type === "image") images.push({ type: "image", data: block.data, mimeType: block.mimeType });
    else text += textOfBlock(block);
  }
  return { text, images };
}

function textOfBlock(block: Exclude<ContentBlock, { type: "image" }>): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return `@${pathOf(block.uri)}`;
  if (block.type === "audio") return "\n[A recording that cannot be heard here.]\n";
  const { resource } = block;
  const path = JSON.stringify(pathOf(resource.uri));
  return "text" in resource
    ? `\n<file path=${path}>\n${resource.text.replace(/\n$/, "")}\n</file>\n`
    : `\n[The file ${path} is not text.]\n`;
}

/** A file's path; any other address as it is. */
function pathOf(uri: string): string {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
