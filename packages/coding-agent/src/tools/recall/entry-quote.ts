import type { AgentMessage } from "@coppice/agent";
import { type ImageContent, type TextContent, toolCallsOf } from "@coppice/ai";
import { type AnyEntry, isEntry } from "@coppice/session";

/** Name of the tool; hosts look for it to know whether handles mean anything. */
export const RECALL_TOOL_NAME = "recall";

/** What an entry said, as the tool quotes it. */
export interface EntryQuote {
  /** Who said it. */
  readonly from: string;
  /** Whole, as it was stored. */
  readonly text: string;
}

/** The original words of an entry; undefined where it has none, and for what the tool itself said. */
export function quoteOf(entry: AnyEntry): EntryQuote | undefined {
  const quote = rawQuoteOf(entry);
  return quote === undefined || quote.text.trim() === "" ? undefined : quote;
}

function rawQuoteOf(entry: AnyEntry): EntryQuote | undefined {
  if (isEntry(entry, "message")) return messageQuote(entry.message);
  if (isEntry(entry, "compaction")) return { from: "summary", text: entry.summary };
  if (isEntry(entry, "branch_summary")) return { from: "summary of a left branch", text: entry.summary };
  if (isEntry(entry, "custom_message")) {
    return { from: `note (${entry.customType})`, text: contentText(entry.content) };
  }
  return undefined;
}

function messageQuote(message: AgentMessage): EntryQuote | undefined {
  switch (message.role) {
    case "user":
      return { from: "user", text: contentText(message.content) };
    case "assistant":
      return { from: "assistant", text: answerText(message) };
    case "toolResult":
      // Its own results quote what stands elsewhere.
      if (message.toolName === RECALL_TOOL_NAME) return undefined;
      return {
        from: `${message.isError ? "error" : "result"} of ${message.toolName}`,
        text: contentText(message.content),
      };
    case "bashExecution":
      return { from: "command of the user", text: `$ ${message.command}\n${message.output}` };
    default:
      return undefined;
  }
}

function answerText(message: Extract<AgentMessage, { role: "assistant" }>): string {
  const calls = toolCallsOf(message).filter(({ name }) => name !== RECALL_TOOL_NAME);
  return [
    contentText(message.content as readonly TextContent[]),
    ...calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Files of others hold any shape. */
function contentText(content: string | readonly (TextContent | ImageContent)[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .flatMap((block) =>
      block.type === "text" ? [block.text] : block.type === "image" ? [`[image, ${block.mimeType}]`] : [],
    )
    .join("\n");
}
