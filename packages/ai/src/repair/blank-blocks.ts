import type { AssistantContent, ImageContent, Message, TextContent } from "../message.ts";

/** Stands for the output of a tool that had none. */
const NO_OUTPUT_TEXT = "(no output)";

/**
 * History without blank text: APIs refuse it. Missing content counts as empty; messages left with nothing go, results
 * get a placeholder, since their call needs an answer.
 */
export function dropBlankBlocks(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap(withoutBlanks);
}

function withoutBlanks(message: Message): readonly Message[] {
  switch (message.role) {
    case "system":
      return [message];
    case "user": {
      const content = message.content ?? [];
      if (typeof content === "string") return isBlank(content) ? [] : [message];
      const kept = content.filter(says);
      return kept.length === 0 ? [] : [{ ...message, content: kept }];
    }
    case "toolResult": {
      const kept = (message.content ?? []).filter(says);
      return [{ ...message, content: kept.length === 0 ? [{ type: "text", text: NO_OUTPUT_TEXT }] : kept }];
    }
    case "assistant": {
      const kept = (message.content ?? []).filter(says);
      // Reasoning alone is no answer, and APIs refuse it as one.
      const hasAnswer = kept.some((block) => block.type !== "thinking");
      return hasAnswer ? [{ ...message, content: kept }] : [];
    }
  }
}

function says(block: TextContent | ImageContent | AssistantContent): boolean {
  switch (block.type) {
    case "text":
      return !isBlank(block.text);
    case "thinking":
      return !isBlank(block.thinking) || block.thinkingSignature !== undefined;
    case "image":
      return block.data !== "";
    case "toolCall":
      return true;
  }
}

function isBlank(text: string | null | undefined): boolean {
  return text === null || text === undefined || text.trim() === "";
}
