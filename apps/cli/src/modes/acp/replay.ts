import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentMessage } from "@coppice/agent";
import type { AssistantMessage, ToolResultMessage, UserMessage } from "@coppice/ai";
import { transcriptText } from "../../render/transcript.ts";
import { callFacts, diffsOf, resultContent } from "./tool-call.ts";
import { chunk } from "./updates.ts";

/** A conversation as it stands, told as if it happened now: summaries of what is older come first, as text. */
export function replayUpdates(messages: readonly AgentMessage[], cwd: string): readonly SessionUpdate[] {
  const results = new Map<string, ToolResultMessage>();
  for (const message of messages) if (message.role === "toolResult") results.set(message.toolCallId, message);
  return messages.flatMap((message): readonly SessionUpdate[] => {
    if (message.role === "user") return userUpdates(message);
    if (message.role === "assistant") return assistantUpdates(message, results, cwd);
    if (message.role === "toolResult" || message.role === "system") return [];
    return textUpdates("agent_message_chunk", transcriptText([message]));
  });
}

function userUpdates({ content }: UserMessage): readonly SessionUpdate[] {
  if (typeof content === "string") return textUpdates("user_message_chunk", content);
  return content.flatMap((block): readonly SessionUpdate[] =>
    block.type === "text"
      ? textUpdates("user_message_chunk", block.text)
      : [
          {
            sessionUpdate: "user_message_chunk",
            content: { type: "image", data: block.data, mimeType: block.mimeType },
          },
        ],
  );
}

function assistantUpdates(
  { content }: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
  cwd: string,
): readonly SessionUpdate[] {
  return content.flatMap((block): readonly SessionUpdate[] => {
    if (block.type === "text") return textUpdates("agent_message_chunk", block.text);
    if (block.type === "thinking") return textUpdates("agent_thought_chunk", block.thinking);
    const result = results.get(block.id);
    const isDone = result?.isError === false;
    return [
      {
        sessionUpdate: "tool_call",
        toolCallId: block.id,
        ...callFacts(block.name, block.arguments, cwd),
        status: isDone ? "completed" : "failed",
        content: [
          ...(isDone ? diffsOf(block.name, block.arguments, cwd) : []),
          ...resultContent(result?.content ?? []),
        ],
      },
    ];
  });
}

function textUpdates(name: Parameters<typeof chunk>[0], text: string): readonly SessionUpdate[] {
  return text === "" ? [] : [chunk(name, text)];
}
