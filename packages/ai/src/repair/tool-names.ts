import type { Message } from "../message.ts";

/** What all APIs accept as the name of a function. */
const MAX_NAME_CHARS = 64;
const NO_NAME = "unknown_tool";

/**
 * History whose calls have names that APIs accept: a model may have made one up, and the error result that it got stays
 * readable. Illegal characters become `_`.
 */
export function makeToolNamesLegal(messages: readonly Message[]): readonly Message[] {
  return messages.map((message): Message => {
    if (message.role === "toolResult") return { ...message, toolName: legalName(message.toolName) };
    if (message.role !== "assistant") return message;
    const content = message.content.map((block) =>
      block.type === "toolCall" && legalName(block.name) !== block.name
        ? { ...block, name: legalName(block.name) }
        : block,
    );
    return { ...message, content };
  });
}

function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS) || NO_NAME;
}
