import type { ImageContent, TextContent, ToolCall, ToolResultMessage } from "@coppice/ai";
import type { ToolResult } from "./tool.ts";

/** A result that tells the model what went wrong. */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** An error in place of a result that the model must not or cannot see; its price stays, it was paid all the same. */
export function errorInsteadOf({ usage }: Pick<ToolResult, "usage">, text: string): ToolResult {
  return { ...errorResult(text), ...(usage === undefined ? {} : { usage }) };
}

/**
 * What a tool or a hook gave back, brought into shape before it is stored.
 *
 * A string becomes text; anything without usable content becomes an error result that names the tool.
 */
export function normalizeResult(toolName: string, result: unknown): ToolResult {
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  if (typeof result !== "object" || result === null) return errorResult(malformed(toolName, result));
  const { content } = result as { content?: unknown };
  if (typeof content === "string") {
    return { ...(result as object), content: [{ type: "text", text: content }] };
  }
  if (!Array.isArray(content) || !content.every(isBlock)) {
    return errorInsteadOf(result as ToolResult, malformed(toolName, content));
  }
  return result as ToolResult;
}

/** The message that answers a call. */
export function resultMessage(call: ToolCall, result: ToolResult, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    ...(result.details === undefined ? {} : { details: result.details }),
    ...(result.usage === undefined ? {} : { usage: result.usage }),
    isError: result.isError ?? false,
    timestamp,
  };
}

function malformed(toolName: string, given: unknown): string {
  const what = given === null ? "null" : Array.isArray(given) ? "unknown content blocks" : typeof given;
  return `The tool ${toolName} gave no usable result: content was ${what}.`;
}

function isBlock(block: unknown): block is TextContent | ImageContent {
  if (typeof block !== "object" || block === null) return false;
  const { type, text, data, mimeType } = block as Record<string, unknown>;
  if (type === "text") return typeof text === "string";
  return type === "image" && typeof data === "string" && typeof mimeType === "string";
}
