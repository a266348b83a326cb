import { type JsonObject, jsonObjects } from "../json-shape.ts";
import { isBase64 } from "../valid-text.ts";
import { blocksOf, type PlacedBlock, placedBlocks, placeOf } from "./blocks.ts";
import type { Signatures } from "./signatures.ts";

/** The first message or block whose content the API would refuse. Wording as in public error reports of 2024–2026. */
export function contentProblem(body: JsonObject, signatures: Signatures): string | undefined {
  const messages = jsonObjects(body.messages);
  if (messages[0]?.role !== "user") return 'messages: first message must use the "user" role';
  for (const [index, message] of messages.entries()) {
    const misplaced = systemProblem(messages, index);
    if (misplaced !== undefined) return misplaced;
    const isFinalAssistant = index === messages.length - 1 && message.role === "assistant";
    const isEmpty =
      message.content === "" || (Array.isArray(message.content) && message.content.length === 0);
    if (isEmpty && !isFinalAssistant)
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
  }
  for (const block of blocksOf(body.system)) {
    const problem = textProblem(block);
    if (problem !== undefined && body.system !== "") return `system: ${problem}`;
  }
  for (const placed of placedBlocks(body)) {
    const problem = blockProblem(placed, signatures);
    if (problem !== undefined) return problem;
  }
  return finalTextProblem(messages.at(-1));
}

/** Behind a user's turn, and before the assistant's or at the end (…/mid-conversation-system-messages, 2026-11). */
function systemProblem(messages: readonly JsonObject[], index: number): string | undefined {
  if (messages[index]?.role !== "system") return undefined;
  const place = `messages.${index}`;
  if (messages[index - 1]?.role !== "user")
    return `${place}: a message with role 'system' must follow a message with role 'user'`;
  const next = messages[index + 1];
  return next === undefined || next.role === "assistant"
    ? undefined
    : `${place}: a message with role 'system' must be the last one or be followed by a message with role 'assistant'`;
}

function textProblem(block: JsonObject): string | undefined {
  if (block.type !== "text" || typeof block.text !== "string") return undefined;
  if (block.text === "") return "text content blocks must be non-empty";
  if (block.text.trim() === "") return "text content blocks must contain non-whitespace text";
  return undefined;
}

const ROLE_OF: Readonly<Record<string, string>> = {
  tool_use: "assistant",
  thinking: "assistant",
  redacted_thinking: "assistant",
  tool_result: "user",
  image: "user",
  document: "user",
};

function blockProblem(placed: PlacedBlock, signatures: Signatures): string | undefined {
  const { block, role } = placed;
  const type = String(block.type);
  const belongsTo = ROLE_OF[type];
  if (belongsTo !== undefined && role !== belongsTo)
    return `${placeOf(placed)}: \`${type}\` blocks can only be in \`${belongsTo}\` messages`;
  const blank = textProblem(block);
  if (blank !== undefined) return `messages: ${blank}`;
  if (type === "image") return imageProblem(block, placeOf(placed));
  if (type === "tool_result") return resultProblem(block, placeOf(placed));
  if (type === "thinking" || type === "redacted_thinking") return thinkingProblem(placed, signatures);
  return undefined;
}

function imageProblem(block: JsonObject, place: string): string | undefined {
  const [source] = jsonObjects([block.source]);
  if (source?.type !== "base64" || isBase64(String(source.data))) return undefined;
  return `${place}.image.source.base64: invalid base64 data`;
}

function resultProblem(block: JsonObject, place: string): string | undefined {
  for (const [index, inner] of blocksOf(block.content ?? []).entries()) {
    const blank = block.content === "" ? undefined : textProblem(inner);
    if (blank !== undefined) return `messages: ${blank}`;
    if (inner.type === "image") {
      if (block.is_error === true)
        return `${place}.tool_result: all content must be type "text" if \`is_error\` is true`;
      const problem = imageProblem(inner, `${place}.tool_result.content.${index}`);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function thinkingProblem(placed: PlacedBlock, signatures: Signatures): string | undefined {
  const { block } = placed;
  const redacted = block.type === "redacted_thinking";
  const signature = String(redacted ? block.data : block.signature);
  if (!signatures.isIssued(signature))
    return `${placeOf(placed)}: Invalid \`${redacted ? "data" : "signature"}\` in \`${block.type}\` block`;
  if (redacted || signatures.belongs(signature, String(block.thinking))) return undefined;
  return `${placeOf(placed)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
}

function finalTextProblem(message: JsonObject | undefined): string | undefined {
  if (message?.role !== "assistant") return undefined;
  const last = blocksOf(message.content).at(-1);
  if (last?.type === "thinking" || last?.type === "redacted_thinking")
    return "messages: the final block in an assistant message cannot be `thinking`.";
  if (last?.type !== "text" || String(last.text) === String(last.text).trimEnd()) return undefined;
  return "messages: final assistant content cannot end with trailing whitespace";
}
