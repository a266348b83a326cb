import { type PrefixCache, type PromptUnit, roughTokens, textUnit } from "../../prefix-cache.ts";
import { isJsonObject, type JsonObject, jsonObjects } from "../json-shape.ts";
import type { WireReading, WireUsage } from "../wire-format.ts";
import type { WireTurn } from "../wire-request.ts";
import { blocksOf } from "./blocks.ts";

const IMAGE_TOKENS = 1200;

const textIn = (content: unknown): string =>
  blocksOf(content)
    .map((block) => (block.type === "text" ? String(block.text) : ""))
    .join("");

/** The request in the terms that all formats share. */
export function readMessagesRequest(body: JsonObject): WireReading {
  const system = textIn(body.system ?? []);
  return {
    model: String(body.model),
    stream: body.stream === true,
    tools: jsonObjects(body.tools).map((tool) => String(tool.name)),
    turns: [
      ...(system === "" ? [] : [{ role: "system", text: system, calls: [], imageCount: 0 } as const]),
      ...jsonObjects(body.messages).flatMap(turnsOf),
    ],
  };
}

function turnsOf(message: JsonObject): readonly WireTurn[] {
  const blocks = blocksOf(message.content);
  const results = blocks.filter((block) => block.type === "tool_result").map(resultTurn);
  const rest = blocks.filter((block) => block.type !== "tool_result");
  if (rest.length === 0 && results.length > 0) return results;
  const calls = rest
    .filter((block) => block.type === "tool_use")
    .map((block) => ({
      id: String(block.id),
      name: String(block.name),
      arguments: JSON.stringify(block.input),
    }));
  const role = message.role === "assistant" || message.role === "system" ? message.role : "user";
  return [...results, { role, text: textIn(rest), calls, imageCount: imagesIn(rest) }];
}

function resultTurn(block: JsonObject): WireTurn {
  const content = blocksOf(block.content ?? []);
  return {
    role: "tool",
    text: textIn(content),
    calls: [],
    resultFor: String(block.tool_use_id),
    imageCount: imagesIn(content),
  };
}

const imagesIn = (blocks: readonly JsonObject[]): number =>
  blocks.filter((block) => block.type === "image").length;

/**
 * Prompt tokens as the API bills them: the prefix up to the last `cache_control` marker is read from the cache as far
 * as an earlier request had stored it at a marker, and the rest of it is written; what follows is plain input.
 */
export function measureMessagesRequest(
  body: JsonObject,
  cache: PrefixCache,
): Omit<WireUsage, "output" | "reasoning"> {
  const parts: readonly JsonObject[] = [
    ...jsonObjects(body.tools),
    ...blocksOf(body.system ?? []),
    ...jsonObjects(body.messages).flatMap((message) =>
      blocksOf(message.content).map((block) => ({ ...block, role: message.role })),
    ),
  ];
  const markers = parts.flatMap((part, index) => (isJsonObject(part.cache_control) ? [index + 1] : []));
  const units = parts.map(unitOf);
  const end = markers.at(-1) ?? 0;
  const { promptTokens, cachedTokens } = cache.measure(String(body.model), units.slice(0, end), markers);
  const written = promptTokens - cachedTokens;
  const marker = parts[end - 1]?.cache_control;
  const isLong = isJsonObject(marker) && marker.ttl === "1h";
  const input = units.slice(end).reduce((sum, unit) => sum + unit.tokens, 0);
  return { input, cacheRead: cachedTokens, cacheWrite: written, cacheWrite1h: isLong ? written : 0 };
}

function unitOf(part: JsonObject): PromptUnit {
  const { cache_control: _, ...plain } = part;
  const images =
    (part.type === "image" ? 1 : 0) + imagesIn(part.type === "tool_result" ? blocksOf(part.content) : []);
  const text = JSON.stringify(plain);
  if (images > 0) return { text, tokens: images * IMAGE_TOKENS };
  return { text, tokens: typeof part.text === "string" ? roughTokens(part.text) : textUnit(text).tokens };
}
