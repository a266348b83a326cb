import { cacheKey } from "../../cache-key.ts";
import type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ThinkingContent,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import { outputLimit, promptCharsOf } from "../../output-limit.ts";
import type { ChatRequest } from "../../request.ts";
import { clampThinkingLevel, thinkingWord } from "../../thinking.ts";
import { phaseOf } from "./text-signature.ts";
import type { WireInputPart, WireItem, WireReasoning, WireRequest } from "./wire.ts";

/** The API's smallest limit. */
const MIN_OUTPUT_TOKENS = 16;
const OPENAI_HOST = "api.openai.com";

/** A repaired request as a Responses body. The same history always gives the same bytes. */
export function encode(request: ChatRequest): WireRequest {
  const { model } = request;
  const input = request.messages.flatMap((message) => encodeMessage(message));
  const tools = (request.tools ?? []).map(({ name, description, parameters }) => ({
    type: "function" as const,
    name,
    description,
    parameters,
    // Strict mode refuses schemas outside its subset and makes models fill in optional fields.
    strict: false as const,
  }));
  const hasTools = tools.length > 0;
  return {
    model: model.id,
    ...(request.systemPrompt?.trim() ? { instructions: request.systemPrompt } : {}),
    input,
    stream: true,
    store: false,
    ...(hasTools ? { tools } : {}),
    ...(hasTools && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    ...limitField(request, promptCharsOf({ input, tools })),
    ...(request.temperature === undefined || model.reasoning || model.quirks?.supportsTemperature === false
      ? {}
      : { temperature: request.temperature }),
    ...reasoningFields(request),
    ...cacheFields(request),
  };
}

function limitField(
  { model, maxOutputTokens }: ChatRequest,
  promptChars: number,
): Pick<WireRequest, "max_output_tokens"> {
  if (maxOutputTokens === undefined) return {};
  const limit = outputLimit({ model, requestedTokens: maxOutputTokens, promptChars });
  return { max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, limit) };
}

function reasoningFields({ model, thinkingLevel }: ChatRequest): Pick<WireRequest, "reasoning" | "include"> {
  if (!model.reasoning) return {};
  const include = ["reasoning.encrypted_content"] as const;
  if (thinkingLevel === undefined) return { include };
  const level = clampThinkingLevel(model, thinkingLevel);
  if (level !== "off") return { reasoning: { effort: thinkingWord(model, level), summary: "auto" }, include };
  // Off is only a word of the API where the model's entry says so.
  return typeof model.thinkingLevels?.off === "string"
    ? { reasoning: { effort: model.thinkingLevels.off }, include }
    : { include };
}

function cacheFields({
  model,
  sessionId,
  cacheRetention,
}: ChatRequest): Pick<WireRequest, "prompt_cache_key" | "prompt_cache_retention"> {
  const isOpenAi =
    URL.canParse(model.baseUrl) && new URL(model.baseUrl).hostname.toLowerCase() === OPENAI_HOST;
  if (sessionId === undefined || cacheRetention === "none") return {};
  if (!(model.quirks?.supportsPromptCacheKey ?? isOpenAi)) return {};
  const isLong = cacheRetention === "long" && (model.quirks?.supportsLongCacheRetention ?? isOpenAi) === true;
  return { prompt_cache_key: cacheKey(sessionId), ...(isLong ? { prompt_cache_retention: "24h" } : {}) };
}

function encodeMessage(message: Message): readonly WireItem[] {
  switch (message.role) {
    case "system":
      return [{ role: "developer", content: [{ type: "input_text", text: textOf(message.content) }] }];
    case "user": {
      const parts =
        typeof message.content === "string"
          ? [{ type: "text" as const, text: message.content }]
          : message.content;
      return [{ role: "user", content: parts.map(encodePart) }];
    }
    case "toolResult": {
      const hasImage = message.content.some((part) => part.type === "image");
      const output = hasImage ? message.content.map(encodePart) : textOf(message.content);
      return [{ type: "function_call_output", call_id: message.toolCallId, output }];
    }
    case "assistant":
      return encodeAssistant(message);
  }
}

function encodePart(part: TextContent | ImageContent): WireInputPart {
  return part.type === "text"
    ? { type: "input_text", text: part.text }
    : { type: "input_image", detail: "auto", image_url: `data:${part.mimeType};base64,${part.data}` };
}

function encodeAssistant(message: AssistantMessage): readonly WireItem[] {
  const lastOutput = message.content.findLastIndex((block) => block.type !== "thinking");
  // The API wants reasoning to be followed by what it led to.
  const content = message.content.filter((block, at) => block.type !== "thinking" || at < lastOutput);
  return content.flatMap(encodeBlock);
}

function encodeBlock(block: AssistantContent): readonly WireItem[] {
  switch (block.type) {
    case "thinking": {
      const item = reasoningItem(block);
      return item === undefined ? [] : [item];
    }
    case "text": {
      const phase = phaseOf(block.textSignature);
      const content = [{ type: "output_text" as const, text: block.text, annotations: [] as [] }];
      return [{ type: "message", role: "assistant", content, ...(phase === undefined ? {} : { phase }) }];
    }
    case "toolCall":
      return [
        {
          type: "function_call",
          call_id: block.id,
          name: block.name,
          arguments: JSON.stringify(block.arguments),
        },
      ];
  }
}

/** The item that the signature holds. Without its encrypted content the server, which stores nothing, cannot know it. */
function reasoningItem({ thinkingSignature }: ThinkingContent): WireReasoning | undefined {
  if (thinkingSignature === undefined || !thinkingSignature.startsWith("{")) return undefined;
  try {
    const item = JSON.parse(thinkingSignature) as WireReasoning;
    return item.type === "reasoning" && typeof item.encrypted_content === "string" ? item : undefined;
  } catch {
    return undefined;
  }
}
