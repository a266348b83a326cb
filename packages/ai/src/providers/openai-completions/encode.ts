import { cacheKey } from "../../cache-key.ts";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ThinkingContent,
  UserMessage,
} from "../../message.ts";
import { textOf, toolCallsOf } from "../../message.ts";
import { outputLimit, promptCharsOf } from "../../output-limit.ts";
import type { ChatRequest } from "../../request.ts";
import { type Quirks, quirksOf } from "./quirks.ts";
import { detailsInSignature } from "./reasoning-details.ts";
import { thinkingFields } from "./thinking-fields.ts";
import type { WireMessage, WirePart, WireRequest } from "./wire.ts";

/** Fields in which servers send reasoning; the one that was used stands in the block's signature. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

const IMAGE_FOLLOWS_TEXT = "(see the image below)";
const AFTER_RESULTS_TEXT = "I have the results.";

/** A repaired request as a Chat Completions body. The same history always gives the same bytes. */
export function encode(request: ChatRequest): WireRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const messages = encodeMessages(request, quirks);
  const tools = (request.tools ?? []).map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));
  const hasTools = tools.length > 0;
  if (quirks.cacheControlFormat === "anthropic" && request.cacheRetention !== "none") markForCache(messages);
  return {
    model: model.id,
    messages,
    stream: true,
    ...(quirks.supportsUsageInStreaming ? { stream_options: { include_usage: true } } : {}),
    ...(hasTools || quirks.requiresToolsField ? { tools } : {}),
    ...(hasTools && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    ...(hasTools && quirks.zaiToolStream ? { tool_stream: true } : {}),
    ...limitFields(request, quirks, promptCharsOf({ messages, tools })),
    ...(request.temperature === undefined || model.quirks?.supportsTemperature === false
      ? {}
      : { temperature: request.temperature }),
    ...thinkingFields(request, quirks),
    ...cacheFields(request, quirks),
    ...routingFields(quirks),
    ...(quirks.supportsStore ? { store: false } : {}),
  };
}

function limitFields(
  request: ChatRequest,
  quirks: Quirks,
  promptChars: number,
): Readonly<Record<string, number>> {
  const { maxOutputTokens, model } = request;
  if (maxOutputTokens === undefined && !quirks.sendsOutputLimit) return {};
  return { [quirks.maxTokensField]: outputLimit({ model, requestedTokens: maxOutputTokens, promptChars }) };
}

function cacheFields(request: ChatRequest, quirks: Quirks): Readonly<Record<string, unknown>> {
  const { sessionId, cacheRetention } = request;
  if (!quirks.supportsPromptCacheKey || sessionId === undefined || cacheRetention === "none") return {};
  return {
    prompt_cache_key: cacheKey(sessionId),
    ...(cacheRetention === "long" && quirks.supportsLongCacheRetention
      ? { prompt_cache_retention: "24h" }
      : {}),
  };
}

function routingFields({
  openRouterRouting,
  vercelGatewayRouting,
}: Quirks): Readonly<Record<string, unknown>> {
  return {
    ...(openRouterRouting === undefined ? {} : { provider: openRouterRouting }),
    ...(vercelGatewayRouting === undefined ? {} : { providerOptions: { gateway: vercelGatewayRouting } }),
  };
}

function encodeMessages(request: ChatRequest, quirks: Quirks): WireMessage[] {
  const messages: WireMessage[] = [];
  const role = quirks.supportsDeveloperRole && request.model.reasoning ? "developer" : "system";
  if (request.systemPrompt?.trim()) messages.push({ role, content: request.systemPrompt });
  /** Images of results wait until the last result: results of one turn stay together. */
  let images: WirePart[] = [];
  for (const [index, message] of request.messages.entries()) {
    if (message.role === "system") messages.push({ role, content: textOf(message.content) });
    else if (message.role === "toolResult") {
      const found = message.content.filter((part) => part.type === "image");
      images.push(...found.map(encodePart));
      const text = textOf(message.content);
      messages.push({
        role: "tool",
        tool_call_id: message.toolCallId,
        content: text === "" && found.length > 0 ? IMAGE_FOLLOWS_TEXT : text,
        ...(quirks.requiresToolResultName ? { name: message.toolName } : {}),
      });
      if (request.messages[index + 1]?.role === "toolResult") continue;
      if (images.length > 0) addUser(messages, images, quirks);
      images = [];
    } else addMessage(messages, message, quirks);
  }
  return messages;
}

function addMessage(messages: WireMessage[], message: Message, quirks: Quirks): void {
  if (message.role === "user") addUser(messages, encodeUser(message), quirks);
  else if (message.role === "assistant") {
    const encoded = encodeAssistant(message, quirks);
    if (encoded !== undefined) messages.push(encoded);
  }
}

/** User messages in a row become one: the templates of many local models insist on alternation. */
function addUser(messages: WireMessage[], content: string | WirePart[], quirks: Quirks): void {
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === "user") {
    last.content =
      typeof last.content === "string" && typeof content === "string"
        ? `${last.content}\n\n${content}`
        : [...partsOf(last.content), ...partsOf(content)];
    return;
  }
  if (last?.role === "tool" && quirks.requiresAssistantAfterToolResult) {
    messages.push({ role: "assistant", content: AFTER_RESULTS_TEXT });
  }
  messages.push({ role: "user", content });
}

/** Text alone goes as a string: several servers do not take it in parts. */
function encodeUser({ content }: UserMessage): string | WirePart[] {
  if (typeof content === "string") return content;
  return content.some((part) => part.type === "image")
    ? content.map(encodePart)
    : content.map((part) => (part as TextContent).text).join("\n");
}

function encodePart(part: TextContent | ImageContent): WirePart {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}

function partsOf(content: string | WirePart[]): WirePart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function encodeAssistant(message: AssistantMessage, quirks: Quirks): WireMessage | undefined {
  const text = message.content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("");
  const calls = toolCallsOf(message);
  if (text === "" && calls.length === 0) return undefined;
  return {
    role: "assistant",
    content: text === "" && !quirks.requiresNonNullAssistantContent ? null : text,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: args }) => ({
            id,
            type: "function" as const,
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
    ...reasoningFields(message, quirks),
  };
}

type ReasoningFields = Pick<
  Extract<WireMessage, { role: "assistant" }>,
  (typeof REASONING_FIELDS)[number] | "reasoning_details"
>;

/** Reasoning goes back in the form it came in, to the model that wrote it. */
function reasoningFields(message: AssistantMessage, quirks: Quirks): ReasoningFields {
  const blocks = message.content.filter((block) => block.type === "thinking");
  const details = message.content.flatMap((block) =>
    block.type === "text"
      ? []
      : detailsInSignature(block.type === "thinking" ? block.thinkingSignature : block.thoughtSignature),
  );
  if (details.length > 0) return { reasoning_details: details };
  const field = REASONING_FIELDS.find((name) => blocks.some((block) => block.thinkingSignature === name));
  const own = blocks.filter((block: ThinkingContent) => block.thinkingSignature === field);
  if (field !== undefined) return { [field]: own.map((block) => block.thinking).join("\n") };
  return quirks.requiresReasoningContentOnAssistantMessages ? { reasoning_content: "" } : {};
}

/** Markers on the system prompt and the last two user messages, as relays to Anthropic models want them. */
function markForCache(messages: readonly WireMessage[]): void {
  const marked = [
    ...messages.filter((message) => message.role === "system" || message.role === "developer").slice(0, 1),
    ...messages.filter((message) => message.role === "user").slice(-2),
  ];
  for (const message of marked) {
    const parts = partsOf(message.content ?? "");
    const last = parts.findLast((part) => part.type === "text");
    if (last?.type !== "text") continue;
    last.cache_control = { type: "ephemeral" };
    (message as { content: WirePart[] }).content = parts;
  }
}
