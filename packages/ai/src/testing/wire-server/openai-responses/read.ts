import { type PrefixCache, type PromptUnit, roughTokens, textUnit } from "../../prefix-cache.ts";
import { type JsonObject, jsonObjects } from "../json-shape.ts";
import type { WireReading, WireUsage } from "../wire-format.ts";
import type { WireTurn } from "../wire-request.ts";

const IMAGE_TOKENS = 1200;

const textIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : jsonObjects(content)
        .map((part) => (typeof part.text === "string" ? part.text : ""))
        .join("");

const imagesIn = (content: unknown): number =>
  jsonObjects(content).filter((part) => part.type === "input_image").length;

const itemsOf = (body: JsonObject): readonly JsonObject[] =>
  typeof body.input === "string" ? [{ role: "user", content: body.input }] : jsonObjects(body.input);

/** The request in the terms that all formats share: the items of one answer become one assistant turn. */
export function readResponsesRequest(body: JsonObject): WireReading {
  const instructions = typeof body.instructions === "string" ? body.instructions : "";
  const turns: WireTurn[] =
    instructions === "" ? [] : [{ role: "system", text: instructions, calls: [], imageCount: 0 }];
  for (const item of itemsOf(body)) {
    if (item.type === "reasoning") continue;
    const turn = turnOf(item);
    const last = turns.at(-1);
    if (turn.role === "assistant" && last?.role === "assistant") {
      turns[turns.length - 1] = {
        ...last,
        text: last.text + turn.text,
        calls: [...last.calls, ...turn.calls],
      };
    } else turns.push(turn);
  }
  return {
    model: String(body.model),
    stream: body.stream === true,
    tools: jsonObjects(body.tools).map((tool) => String(tool.name)),
    turns,
  };
}

function turnOf(item: JsonObject): WireTurn {
  if (item.type === "function_call") {
    const call = { id: String(item.call_id), name: String(item.name), arguments: String(item.arguments) };
    return { role: "assistant", text: "", calls: [call], imageCount: 0 };
  }
  if (item.type === "function_call_output") {
    const { output } = item;
    const resultFor = String(item.call_id);
    return { role: "tool", text: textIn(output), calls: [], resultFor, imageCount: imagesIn(output) };
  }
  const role = item.role === "assistant" ? "assistant" : item.role === "user" ? "user" : "system";
  return { role, text: textIn(item.content), calls: [], imageCount: imagesIn(item.content) };
}

/** Prompt tokens: the prefix that an earlier request under the same cache key began with counts as cached. */
export function measureResponsesRequest(
  body: JsonObject,
  cache: PrefixCache,
): Omit<WireUsage, "output" | "reasoning"> {
  const units = [
    ...jsonObjects(body.tools).map((tool) => textUnit(JSON.stringify(tool))),
    ...(typeof body.instructions === "string" ? [textUnit(body.instructions)] : []),
    ...itemsOf(body).map(unitOf),
  ];
  const key = `${body.model}/${body.prompt_cache_key ?? ""}`;
  const { promptTokens, cachedTokens } = cache.measure(key, units);
  return { input: promptTokens - cachedTokens, cacheRead: cachedTokens, cacheWrite: 0, cacheWrite1h: 0 };
}

function unitOf(item: JsonObject): PromptUnit {
  const text = JSON.stringify(item);
  const content = item.content ?? item.output;
  const counted = item.type === "function_call" ? `${item.name}${item.arguments}` : textIn(content);
  return { text, tokens: roughTokens(counted) + imagesIn(content) * IMAGE_TOKENS };
}
