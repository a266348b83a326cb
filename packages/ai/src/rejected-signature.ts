import type { AssistantContent, Message } from "./message.ts";
import type { ChatRequest } from "./request.ts";

/**
 * Which signatures a server has refused: they depend on a context that is gone (another account, changed tools), and a
 * history that keeps them would fail for ever.
 */
export class RejectedSignatures {
  readonly #refused = new Set<string>();

  /** The request without what was refused before; the same object when nothing was. */
  without(request: ChatRequest): ChatRequest {
    if (this.#refused.size === 0) return request;
    return withBlocks(request, (block) =>
      this.#refused.has(signatureOf(block) ?? "") ? strip(block) : [block],
    );
  }

  /** Remembers all signatures of a refused request; returns it without them, or undefined if it had none. */
  reject(request: ChatRequest): ChatRequest | undefined {
    const signatures = request.messages.flatMap((message) =>
      message.role === "assistant" ? message.content.flatMap((block) => signatureOf(block) ?? []) : [],
    );
    if (signatures.length === 0) return undefined;
    for (const signature of signatures) this.#refused.add(signature);
    return this.without(request);
  }
}

function signatureOf(block: AssistantContent): string | undefined {
  switch (block.type) {
    case "text":
      return block.textSignature;
    case "thinking":
      return block.thinkingSignature;
    case "toolCall":
      return block.thoughtSignature;
  }
}

/** Thinking goes with its signature; text and calls stay without. */
function strip(block: AssistantContent): readonly AssistantContent[] {
  if (block.type === "thinking") return [];
  if (block.type === "text") return [{ type: "text", text: block.text }];
  const { thoughtSignature: _, ...call } = block;
  return [call];
}

function withBlocks(
  request: ChatRequest,
  change: (block: AssistantContent) => readonly AssistantContent[],
): ChatRequest {
  const messages = request.messages.map(
    (message): Message =>
      message.role === "assistant" ? { ...message, content: message.content.flatMap(change) } : message,
  );
  return { ...request, messages };
}
