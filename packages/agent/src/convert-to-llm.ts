import type { ImageContent, Message, TextContent, UserMessage } from "@coppice/ai";
import type { AgentMessage, BashExecutionMessage } from "./messages.ts";

/**
 * What the model sees of a transcript: its own messages as they are, the others as user text in a frame.
 *
 * Roles that only a user interface knows and commands marked `excludeFromContext` are left out. Applications with
 * roles of their own wrap this function.
 */
export function convertToLlm(messages: readonly AgentMessage[]): readonly Message[] {
  const converted: Message[] = [];
  for (const message of messages) {
    const shown = messageToLlm(message);
    if (shown !== undefined) converted.push(shown);
  }
  return converted;
}

/** One message as the model sees it; undefined = not at all. */
export function messageToLlm(message: AgentMessage): Message | undefined {
  switch (message.role) {
    case "system":
    case "user":
    case "assistant":
    case "toolResult":
      return message;
    case "custom":
      return userMessage(message.content, message.timestamp);
    case "bashExecution":
      return message.excludeFromContext ? undefined : userMessage(bashText(message), message.timestamp);
    case "compactionSummary":
      return userMessage(frame("summary", COMPACTION_LEAD, message.summary), message.timestamp);
    case "branchSummary":
      return userMessage(frame("summary", BRANCH_LEAD, message.summary), message.timestamp);
    default:
      return undefined;
  }
}

const COMPACTION_LEAD = "Earlier parts of this conversation were replaced by the following summary:";
const BRANCH_LEAD = "The conversation went another way and came back here. Summary of what was left:";

function userMessage(
  content: string | readonly (TextContent | ImageContent)[],
  timestamp: number,
): UserMessage {
  return { role: "user", content, timestamp };
}

function frame(tag: string, lead: string, text: string): string {
  return `${lead}\n\n<${tag}>\n${text}\n</${tag}>`;
}

function bashText(message: BashExecutionMessage): string {
  const output = message.output === "" ? "(no output)" : fenced(message.output);
  const notes = [
    message.cancelled ? "The command was cancelled." : undefined,
    !message.cancelled && message.exitCode !== undefined && message.exitCode !== 0
      ? `The command exited with code ${message.exitCode}.`
      : undefined,
    message.truncated
      ? `The output was shortened.${message.fullOutputPath ? ` All of it: ${message.fullOutputPath}` : ""}`
      : undefined,
  ].filter((note) => note !== undefined);
  return [`The user ran a command:\n${fenced(message.command)}`, output, ...notes].join("\n\n");
}

/** A code fence longer than any run of backticks inside, so that the text cannot close it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
