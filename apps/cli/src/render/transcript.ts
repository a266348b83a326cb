import type { AgentMessage } from "@coppice/agent";
import { shellLine } from "./shell-line.ts";
import { inertLine, inertText } from "./terminal-text.ts";
import { mainArgument } from "./tool-line.ts";

/** Room for the first line of a tool result. */
const MAX_RESULT_COLUMNS = 100;

/** Messages as text for a person, oldest first: who, then what; tool results as one line each. */
export function transcriptText(messages: readonly AgentMessage[]): string {
  return messages
    .map(messageText)
    .filter((text) => text !== "")
    .join("\n\n");
}

function messageText(message: AgentMessage): string {
  switch (message.role) {
    case "system":
      return "";
    case "user":
      return `## user\n${contentText(message.content)}`;
    case "assistant": {
      const parts = message.content.flatMap((block) => {
        if (block.type === "text") return block.text.trim() === "" ? [] : [inertText(block.text.trim())];
        if (block.type === "toolCall")
          return [`→ ${inertLine(block.name, 40)} ${mainArgument(block.arguments)}`.trimEnd()];
        return [];
      });
      const ending = message.stopReason === "error" || message.stopReason === "aborted";
      const reason = ending ? [`[${message.stopReason}: ${inertLine(message.errorMessage ?? "", 200)}]`] : [];
      return [`## ${inertLine(`${message.provider}/${message.model}`, 80)}`, ...parts, ...reason].join("\n");
    }
    case "toolResult": {
      const text = contentText(message.content);
      const mark = message.isError ? "✗" : "←";
      return `${mark} ${inertLine(message.toolName, 40)}: ${inertLine(text, MAX_RESULT_COLUMNS)}`;
    }
    case "bashExecution":
      return `## user ran\n${shellLine({ ...message, command: inertLine(message.command, 200) })}\n${inertText(message.output)}`;
    case "custom":
      return `## ${inertLine(message.customType, 40)}\n${contentText(message.content)}`;
    case "compactionSummary":
      return `## summary of what came before\n${inertText(message.summary)}`;
    case "branchSummary":
      return `## summary of another branch\n${inertText(message.summary)}`;
    default:
      return `## ${inertLine(roleOf(message), 40)}`;
  }
}

/** Applications add roles; a file may hold one that nobody here knows. */
function roleOf({ role }: { readonly role: string }): string {
  return role;
}

function contentText(
  content:
    | string
    | readonly ({ readonly type: "text"; readonly text: string } | { readonly type: "image" })[],
): string {
  if (typeof content === "string") return inertText(content);
  return content.map((block) => (block.type === "text" ? inertText(block.text) : "[image]")).join("\n");
}
