import { type PrefixCache, type PromptUnit, roughTokens } from "../../prefix-cache.ts";
import { isJsonObject, type JsonObject, jsonObjects } from "../json-shape.ts";
import type { WireReading, WireUsage } from "../wire-format.ts";
import type { WireTurn } from "../wire-request.ts";

const IMAGE_TOKENS = 1200;

const textIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : jsonObjects(content)
        .map((part) => (part.type === "text" ? String(part.text) : ""))
        .join("");

const imagesIn = (content: unknown): number =>
  jsonObjects(content).filter((part) => part.type === "image_url").length;

const ROLE: Readonly<Record<string, WireTurn["role"]>> = {
  developer: "system",
  system: "system",
  tool: "tool",
};

/** The request in the terms that all formats share. */
export function readCompletionsRequest(body: JsonObject): WireReading {
  return {
    model: String(body.model),
    stream: body.stream === true,
    tools: jsonObjects(body.tools).map((tool) => String(functionOf(tool).name)),
    turns: jsonObjects(body.messages).map((message) => {
      const role = ROLE[String(message.role)] ?? (message.role === "assistant" ? "assistant" : "user");
      return {
        role,
        text: textIn(message.content),
        calls: jsonObjects(message.tool_calls).map((call) => ({
          id: String(call.id),
          name: String(functionOf(call).name),
          arguments: String(functionOf(call).arguments),
        })),
        ...(role === "tool" ? { resultFor: String(message.tool_call_id) } : {}),
        imageCount: imagesIn(message.content),
      };
    }),
  };
}

const functionOf = (value: JsonObject): JsonObject => (isJsonObject(value.function) ? value.function : {});

/** Prompt tokens: the prefix that an earlier request under the same cache key began with counts as cached. */
export function measureCompletionsRequest(
  body: JsonObject,
  cache: PrefixCache,
): Omit<WireUsage, "output" | "reasoning"> {
  const tools = jsonObjects(body.tools).map((tool) => unitOf(tool));
  const units = [...tools, ...jsonObjects(body.messages).map(unitOf)];
  const key = `${body.model}/${body.prompt_cache_key ?? ""}`;
  const { promptTokens, cachedTokens } = cache.measure(key, units);
  return { input: promptTokens - cachedTokens, cacheRead: cachedTokens, cacheWrite: 0, cacheWrite1h: 0 };
}

function unitOf(part: JsonObject): PromptUnit {
  const text = JSON.stringify(part);
  const images = imagesIn(part.content);
  const calls = part.tool_calls === undefined ? "" : JSON.stringify(part.tool_calls);
  const counted = part.role === undefined ? text : textIn(part.content) + calls;
  return { text, tokens: roughTokens(counted) + images * IMAGE_TOKENS };
}
