import type { ToolResult } from "@coppice/agent";
import type { ImageContent, TextContent } from "@coppice/ai";
import { formatBytes } from "../text/byte-count.ts";
import { checkImage } from "../text/image-size.ts";
import { detectImageType } from "../text/image-type.ts";
import { byteLength, takeLines, utf8PrefixLength } from "../text/truncate.ts";
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES } from "../tools/tool-options.ts";

/** A server's answer to a call. It is a stranger's word: nothing of it is taken on trust. */
export interface McpCallResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

const MAX_IMAGES = 10;

type Block = TextContent | ImageContent;

/**
 * The answer as a tool result that can be stored and sent: all text together at most 2,000 lines or 50 KB, at most ten
 * images, each a whole one of a kind that models take (the agent makes large ones smaller). What is left out is said in
 * its place.
 */
export function mcpToolResult(result: McpCallResult): ToolResult<undefined> {
  const items = Array.isArray(result.content) ? result.content : [];
  const blocks = withImageLimit(items.map(blockOf));
  const content = withTextLimit(blocks.length > 0 ? blocks : [structured(result.structuredContent)]);
  return { content, isError: result.isError === true };
}

function blockOf(item: unknown): Block {
  const { type, ...fields } = (typeof item === "object" && item !== null ? item : {}) as Readonly<
    Record<string, unknown>
  >;
  if (type === "text" && typeof fields.text === "string") return text(fields.text);
  if (type === "image") return imageOf(fields.data);
  if (type === "resource") return resourceOf(fields.resource);
  if (type === "resource_link") return text(`[Link: ${String(fields.uri)}]`);
  return text(`[Left out: content of the type ${JSON.stringify(type) ?? "unknown"}, which cannot be shown.]`);
}

function resourceOf(resource: unknown): Block {
  const fields = (typeof resource === "object" && resource !== null ? resource : {}) as Readonly<
    Record<string, unknown>
  >;
  const name = String(fields.uri ?? "a resource");
  if (typeof fields.text === "string") return text(`[${name}]\n${fields.text}`);
  const image = imageOf(fields.blob);
  return image.type === "image" ? image : text(`[Left out: ${name}, which is no text.]`);
}

/** What it says of its own type does not count; its bytes do. */
function imageOf(data: unknown): Block {
  if (typeof data !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(data) || data.length % 4 !== 0) {
    return text("[Left out: an image that is not valid base64.]");
  }
  const bytes = Buffer.from(data, "base64");
  const mimeType = detectImageType(bytes);
  if (mimeType === undefined) return text("[Left out: an image that is neither png, jpeg, gif nor webp.]");
  const check = checkImage(bytes, mimeType);
  if ("problem" in check) return text(`[Left out: an image (${mimeType}) that is broken: ${check.problem}.]`);
  return { type: "image", data, mimeType };
}

function withImageLimit(blocks: readonly Block[]): readonly Block[] {
  let count = 0;
  return blocks.map((block) =>
    block.type === "image" && ++count > MAX_IMAGES
      ? text(`[Left out: one of more than ${MAX_IMAGES} images.]`)
      : block,
  );
}

function withTextLimit(blocks: readonly Block[]): readonly Block[] {
  const shown: Block[] = [];
  let lines = MAX_OUTPUT_LINES;
  let bytes = MAX_OUTPUT_BYTES;
  let left = 0;
  for (const block of blocks) {
    if (block.type === "image") {
      shown.push(block);
      continue;
    }
    const kept = lines > 0 && bytes > 0 ? cut(block.text, lines, bytes) : "";
    lines -= kept.split("\n").length;
    bytes -= byteLength(kept);
    left += byteLength(block.text) - byteLength(kept);
    if (kept !== "" || block.text === "") shown.push(text(kept));
  }
  if (left > 0) {
    shown.push(text(`[Cut: ${formatBytes(left)} more. Ask the tool for less, or for another part.]`));
  }
  return shown;
}

function cut(whole: string, maxLines: number, maxBytes: number): string {
  const kept = takeLines(whole.split("\n"), { maxLines, maxBytes }).join("\n");
  if (byteLength(kept) <= maxBytes) return kept;
  const bytes = new TextEncoder().encode(kept);
  return new TextDecoder().decode(bytes.subarray(0, utf8PrefixLength(bytes, maxBytes)));
}

function structured(value: unknown): Block {
  return text(value === undefined ? "(no content)" : JSON.stringify(value, null, 1));
}

function text(value: string): TextContent {
  return { type: "text", text: value };
}
