import type {
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ToolResultMessage,
  UserMessage,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import { outputLimit, promptCharsOf } from "../../output-limit.ts";
import type { ChatRequest } from "../../request.ts";
import { clampThinkingLevel, THINKING_BUDGET_TOKENS, thinkingWord } from "../../thinking.ts";
import type {
  CacheControl,
  WireAssistantBlock,
  WireImage,
  WireMessage,
  WireRequest,
  WireText,
  WireTool,
  WireUserBlock,
} from "./wire.ts";

/** Stands before a conversation whose first message is the assistant's: the API wants the user to begin. */
const OPENING_TEXT = "(The conversation so far was shortened.)";
const IMAGE_FOLLOWS_TEXT = "(see the image below)";
/** Besides what it thinks, a model needs room to answer; also the API's smallest budget. */
const MIN_ANSWER_TOKENS = 1024;
/** The older of two marked user messages still hits the cache when the newest one changes. */
const MARKED_USER_MESSAGES = 2;

/** A repaired request as a Messages API body. The same history always gives the same bytes, cache markers aside. */
export function encode(request: ChatRequest): WireRequest {
  const { model } = request;
  const marker = cacheMarker(request);
  const messages = encodeMessages(request);
  const system = encodeSystem(request.systemPrompt, marker);
  const tools = encodeTools(request, marker);
  markUserMessages(messages, marker);
  const limit = outputLimit({
    model,
    requestedTokens: request.maxOutputTokens,
    promptChars: promptCharsOf({ messages, system, tools }),
  });
  const thinking = encodeThinking(request, limit, startsTurnUnthinking(messages));
  const isThinking = thinking.thinking !== undefined && thinking.thinking.type !== "disabled";
  return {
    model: model.id,
    max_tokens: limit,
    stream: true,
    ...(system === undefined ? {} : { system }),
    messages,
    ...(tools === undefined ? {} : { tools }),
    ...(tools !== undefined && request.toolChoice === "none" ? { tool_choice: { type: "none" } } : {}),
    ...thinking,
    ...(request.temperature === undefined || isThinking || model.quirks?.supportsTemperature === false
      ? {}
      : { temperature: request.temperature }),
  };
}

function cacheMarker({ cacheRetention, model }: ChatRequest): CacheControl | undefined {
  if (cacheRetention === "none") return undefined;
  const isLong = cacheRetention === "long" && model.quirks?.supportsLongCacheRetention !== false;
  return isLong ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
}

function encodeSystem(prompt: string | undefined, marker: CacheControl | undefined): WireText[] | undefined {
  if (prompt === undefined || prompt.trim() === "") return undefined;
  return [{ type: "text", text: prompt, ...(marker === undefined ? {} : { cache_control: marker }) }];
}

function encodeTools(request: ChatRequest, marker: CacheControl | undefined): WireTool[] | undefined {
  const tools = (request.tools ?? []).map(
    (tool): WireTool => ({ name: tool.name, description: tool.description, input_schema: tool.parameters }),
  );
  const last = tools.at(-1);
  if (last === undefined) return undefined;
  if (marker !== undefined && request.model.quirks?.supportsCacheControlOnTools !== false)
    last.cache_control = marker;
  return tools;
}

/** Messages of one side are joined, so that the two sides alternate. */
function encodeMessages(request: ChatRequest): WireMessage[] {
  const messages: WireMessage[] = [];
  for (const [at, message] of request.messages.entries()) {
    const next = encodeMessage(message, request);
    const isLastResult = message.role === "toolResult" && request.messages[at + 1]?.role !== "toolResult";
    if (isLastResult && next?.role === "user") next.content.push(...imagesOfErrors(request.messages, at));
    if (next === undefined || next.content.length === 0) continue;
    const last = messages.at(-1);
    if (last === undefined && next.role === "assistant") {
      messages.push({ role: "user", content: [{ type: "text", text: OPENING_TEXT }] }, next);
    } else if (last?.role === "user" && next.role === "user") last.content.push(...next.content);
    else if (last?.role === "assistant" && next.role === "assistant") last.content.push(...next.content);
    else messages.push(next);
  }
  return messages;
}

function encodeMessage(message: Message, request: ChatRequest): WireMessage | undefined {
  switch (message.role) {
    case "system":
      return { role: "system", content: [{ type: "text", text: textOf(message.content) }] };
    case "user":
      return { role: "user", content: encodeUser(message) };
    case "toolResult":
      return { role: "user", content: [encodeResult(message)] };
    case "assistant":
      return { role: "assistant", content: encodeAssistant(message, request) };
  }
}

function encodeUser({ content }: UserMessage): WireUserBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content.map(encodePart);
}

function encodePart(part: TextContent | ImageContent): WireText | WireImage {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } };
}

/** The API refuses images in error results, so they follow the last result of their turn. */
function imagesOfErrors(messages: readonly Message[], lastResultAt: number): WireImage[] {
  const first =
    messages.findLastIndex((message, at) => at < lastResultAt && message.role !== "toolResult") + 1;
  return messages
    .slice(first, lastResultAt + 1)
    .flatMap((message) =>
      message.role === "toolResult" && message.isError
        ? message.content.filter((part) => part.type === "image").map((part) => encodePart(part) as WireImage)
        : [],
    );
}

function encodeResult(result: ToolResultMessage): WireUserBlock {
  const content = result.isError ? result.content.filter((part) => part.type === "text") : result.content;
  return {
    type: "tool_result",
    tool_use_id: result.toolCallId,
    content: content.length === 0 ? [{ type: "text", text: IMAGE_FOLLOWS_TEXT }] : content.map(encodePart),
    ...(result.isError ? { is_error: true } : {}),
  };
}

function encodeAssistant(message: AssistantMessage, { model }: ChatRequest): WireAssistantBlock[] {
  const blocks: WireAssistantBlock[] = [];
  for (const block of message.content) {
    if (block.type === "text") blocks.push({ type: "text", text: block.text });
    else if (block.type === "toolCall") {
      blocks.push({ type: "tool_use", id: block.id, name: block.name, input: block.arguments });
    } else if (block.redacted) {
      blocks.push({ type: "redacted_thinking", data: block.thinkingSignature ?? "" });
    } else if (block.thinkingSignature !== undefined || model.quirks?.allowEmptySignature === true) {
      blocks.push({ type: "thinking", thinking: block.thinking, signature: block.thinkingSignature ?? "" });
    }
    // Unsigned thinking (an answer that broke off) is refused by the API and says nothing that the text does not.
  }
  return blocks;
}

function markUserMessages(messages: readonly WireMessage[], marker: CacheControl | undefined): void {
  if (marker === undefined) return;
  const users = messages.filter((message) => message.role === "user").slice(-MARKED_USER_MESSAGES);
  for (const { content } of users) {
    const last = content.at(-1);
    if (last !== undefined) last.cache_control = marker;
  }
}

type ThinkingFields = Pick<WireRequest, "thinking" | "output_config">;

/** Under a budget, a turn that goes on after results must have begun with thinking; another model's did not. */
function startsTurnUnthinking(messages: readonly WireMessage[]): boolean {
  const [answer, results] = messages.filter((message) => message.role !== "system").slice(-2);
  const hasResults = results?.content.some((block) => block.type === "tool_result") ?? false;
  const [first] = answer?.content ?? [];
  return hasResults && first?.type !== "thinking" && first?.type !== "redacted_thinking";
}

function encodeThinking(
  { model, thinkingLevel }: ChatRequest,
  maxTokens: number,
  isUnthinkingTurn: boolean,
): ThinkingFields {
  if (!model.reasoning || thinkingLevel === undefined) return {};
  const level = clampThinkingLevel(model, thinkingLevel);
  if (level === "off") {
    const word = model.thinkingLevels?.off;
    return {
      thinking: { type: "disabled" },
      ...(typeof word === "string" ? { output_config: { effort: word } } : {}),
    };
  }
  if (model.quirks?.forceAdaptiveThinking === true) {
    return {
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: effortOf(thinkingWord(model, level)) },
    };
  }
  if (isUnthinkingTurn) return { thinking: { type: "disabled" } };
  const budget = Math.min(THINKING_BUDGET_TOKENS[level], maxTokens - MIN_ANSWER_TOKENS);
  // A window that is almost full has no room to think in.
  return budget < MIN_ANSWER_TOKENS ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}

/** The API has no effort below low. */
function effortOf(word: string): string {
  return word === "minimal" ? "low" : word;
}
