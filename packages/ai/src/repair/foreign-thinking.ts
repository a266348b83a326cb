import type { AssistantContent, AssistantMessage, Message } from "../message.ts";
import type { Model } from "../model.ts";

/** Whether a model wrote a message: same provider, API and id as were asked for (what the server reports may differ). */
export function isWrittenBy(
  message: AssistantMessage,
  model: Pick<Model, "provider" | "api" | "id">,
): boolean {
  return message.provider === model.provider && message.api === model.api && message.model === model.id;
}

/**
 * History without other models' reasoning and opaque signatures; the model's own stay byte for byte.
 *
 * Reasoning is dropped, not turned into text: models imitate what they find in their own mouth.
 */
export function dropForeignThinking(
  messages: readonly Message[],
  model: Pick<Model, "provider" | "api" | "id">,
): readonly Message[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || isWrittenBy(message, model)) return message;
    return { ...message, content: message.content.flatMap(withoutOpaqueData) };
  });
}

function withoutOpaqueData(block: AssistantContent): readonly AssistantContent[] {
  if (block.type === "thinking") return [];
  if (block.type === "text") return [{ type: "text", text: block.text }];
  const { thoughtSignature: _, ...call } = block;
  return [call];
}
