import type { AssistantContent, ImageContent, Message, TextContent } from "../message.ts";
import type { Model } from "../model.ts";
import type { ToolSpec } from "../tool-schema.ts";
import { isWrittenBy } from "./foreign-thinking.ts";

/**
 * History whose texts are all valid Unicode: half a surrogate pair, left by a cut through an emoji, becomes U+FFFD.
 *
 * What the target model signed itself stays as it is: a changed byte would break the signature.
 */
export function makeWellFormed(
  messages: readonly Message[],
  model: Pick<Model, "provider" | "api" | "id">,
): readonly Message[] {
  return messages.map((message) => cleanMessage(message, model));
}

function cleanMessage(message: Message, model: Pick<Model, "provider" | "api" | "id">): Message {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return typeof message.content === "string"
        ? { ...message, content: message.content.toWellFormed() }
        : { ...message, content: message.content.map(cleanPart) };
    case "toolResult":
      return {
        ...message,
        toolName: message.toolName.toWellFormed(),
        content: message.content.map(cleanPart),
      };
    case "assistant":
      return {
        ...message,
        content: message.content.map((block) => cleanBlock(block, isWrittenBy(message, model))),
      };
  }
}

/** The same for a tool's name, description and schema. */
export function makeToolWellFormed(tool: ToolSpec): ToolSpec {
  return isWellFormedDeep(tool) ? tool : wellFormedDeep(tool);
}

/** Any JSON value with valid Unicode in all its strings, keys included. */
function wellFormedDeep<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key.toWellFormed(), cleaned(field)]),
  );
}

function isWellFormedDeep(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, field]) => key.isWellFormed() && isWellFormedDeep(field));
}

function cleanPart<P extends TextContent | ImageContent>(part: P): P {
  return part.type === "text" && !part.text.isWellFormed()
    ? { ...part, text: part.text.toWellFormed() }
    : part;
}

function cleanBlock(block: AssistantContent, isOwn: boolean): AssistantContent {
  switch (block.type) {
    case "text":
      return isOwn && block.textSignature !== undefined ? block : cleanPart(block);
    case "thinking":
      return isOwn && block.thinkingSignature !== undefined
        ? block
        : { ...block, thinking: block.thinking.toWellFormed() };
    case "toolCall":
      return isWellFormedDeep(block) ? block : { ...wellFormedDeep(block), id: block.id };
  }
}
