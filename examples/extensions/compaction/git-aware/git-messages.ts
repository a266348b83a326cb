import type { AgentMessage } from "@coppice/agent";
import { textOf, toolCallsOf } from "@coppice/ai";

const GIT_WORDS = /\bgit\b|\b(?:commit(?:s|ted)?|rebase[ds]?|cherry-pick|stash(?:ed)?|merge conflicts?)\b/i;
/** Every git command of a shell line. */
const GIT_COMMAND = /(?:^|&&|\|\||[;&|(])\s*(git\s+[^;&|\n)]+)/g;

/** The git operations that messages hold, in order, each once. */
export function gitOperationsOf(messages: readonly AgentMessage[]): readonly string[] {
  const commands = messages.flatMap(shellLinesOf).flatMap((line) => [...line.matchAll(GIT_COMMAND)]);
  return [...new Set(commands.map((match) => match[1]?.trim() ?? ""))];
}

/** Whether a message speaks of git, runs it, or is the result of running it. */
export function isAboutGit(message: AgentMessage, all: readonly AgentMessage[]): boolean {
  switch (message.role) {
    case "user":
    case "custom":
      return GIT_WORDS.test(textOf(message.content));
    case "assistant":
      return gitOperationsOf([message]).length > 0 || GIT_WORDS.test(textOf(message.content));
    case "toolResult":
      return all.some(
        (other) =>
          other.role === "assistant" &&
          gitOperationsOf([other]).length > 0 &&
          toolCallsOf(other).some(({ id }) => id === message.toolCallId),
      );
    case "bashExecution":
      return gitOperationsOf([message]).length > 0;
    default:
      return false;
  }
}

function shellLinesOf(message: AgentMessage): readonly string[] {
  if (message.role === "bashExecution") return [message.command];
  if (message.role !== "assistant") return [];
  return toolCallsOf(message).flatMap(({ arguments: { command } }) =>
    typeof command === "string" ? [command] : [],
  );
}
