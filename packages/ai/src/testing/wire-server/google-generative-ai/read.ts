import { type PrefixCache, type PromptUnit, roughTokens, textUnit } from "../../prefix-cache.ts";
import { isJsonObject, type JsonObject, jsonObjects } from "../json-shape.ts";
import type { WireReading, WireUsage } from "../wire-format.ts";
import type { WireTurn } from "../wire-request.ts";
import { contentsOf, dataOf, partsOf, roleOf } from "./parts.ts";

const IMAGE_TOKENS = 1200;

const textIn = (parts: readonly JsonObject[]): string =>
  parts.map((part) => (typeof part.text === "string" && part.thought !== true ? part.text : "")).join("");

const imagesIn = (parts: readonly JsonObject[]): number =>
  parts.filter((part) => part.inlineData !== undefined).length;

/** The model of an endpoint's path. */
export function modelOf(target: string): string {
  return decodeURIComponent(/\/(?:models|tunedModels)\/([^/:?]+):/.exec(target)?.[1] ?? "");
}

/** The request in the terms that all formats share: each answer to a call becomes a turn of its own. */
export function readContentRequest(body: JsonObject, target: string): WireReading {
  const system = isJsonObject(body.systemInstruction) ? textIn(partsOf(body.systemInstruction)) : "";
  const contents = contentsOf(body);
  return {
    model: modelOf(target),
    stream: /:streamGenerateContent\?(?:.*&)?alt=sse(?:&|$)/.test(target),
    tools: jsonObjects(body.tools).flatMap((tool) =>
      jsonObjects(tool.functionDeclarations).map((declaration) => String(declaration.name)),
    ),
    turns: [
      ...(system === "" ? [] : [{ role: "system", text: system, calls: [], imageCount: 0 } as const]),
      ...contents.flatMap((content, index) => turnsOf(contents, index, content)),
    ],
  };
}

/** A call without an id is known by its place. */
const idOf = (call: JsonObject, turnIndex: number, callIndex: number) =>
  typeof call.id === "string" ? call.id : `call_${turnIndex}_${callIndex}`;

function turnsOf(contents: readonly JsonObject[], index: number, content: JsonObject): readonly WireTurn[] {
  const parts = partsOf(content);
  if (roleOf(content) === "model") {
    const calls = dataOf(content, "functionCall").map((call, callIndex) => ({
      id: idOf(call, index, callIndex),
      name: String(call.name),
      arguments: JSON.stringify(call.args ?? {}),
    }));
    return [{ role: "assistant", text: textIn(parts), calls, imageCount: imagesIn(parts) }];
  }
  const results = resultTurns(contents[index - 1], index - 1, dataOf(content, "functionResponse"));
  const own = parts.filter((part) => part.functionResponse === undefined);
  if (own.length === 0 && results.length > 0) return results;
  return [...results, { role: "user", text: textIn(own), calls: [], imageCount: imagesIn(own) }];
}

function resultTurns(
  asking: JsonObject | undefined,
  askingIndex: number,
  responses: readonly JsonObject[],
): readonly WireTurn[] {
  const calls = dataOf(asking, "functionCall");
  return responses.map((response, at) => ({
    role: "tool",
    text: resultText(isJsonObject(response.response) ? response.response : {}),
    calls: [],
    resultFor: typeof response.id === "string" ? response.id : idOf(calls[at] ?? {}, askingIndex, at),
    imageCount: imagesIn(jsonObjects(response.parts)),
  }));
}

/** The documented keys first: https://ai.google.dev/api/caching#FunctionResponse (2026-11). */
function resultText(response: JsonObject): string {
  const value = response.output ?? response.error ?? response.result;
  return typeof value === "string" ? value : JSON.stringify(value ?? response);
}

/** Prompt tokens: the prefix that an earlier request to the same model began with counts as cached. */
export function measureContentRequest(
  body: JsonObject,
  cache: PrefixCache,
  target: string,
): Omit<WireUsage, "output" | "reasoning"> {
  const units = [
    ...(body.systemInstruction === undefined ? [] : [unitOf(body.systemInstruction as JsonObject)]),
    ...jsonObjects(body.tools).map((tool) => textUnit(JSON.stringify(tool))),
    ...contentsOf(body).map(unitOf),
  ];
  const { promptTokens, cachedTokens } = cache.measure(`google/${modelOf(target)}`, units);
  return { input: promptTokens - cachedTokens, cacheRead: cachedTokens, cacheWrite: 0, cacheWrite1h: 0 };
}

function unitOf(content: JsonObject): PromptUnit {
  const parts = partsOf(content);
  const responses = dataOf(content, "functionResponse");
  const calls = dataOf(content, "functionCall");
  const counted = [
    textIn(parts),
    ...calls.map((call) => `${call.name}${JSON.stringify(call.args ?? {})}`),
    ...responses.map((response) => resultText(isJsonObject(response.response) ? response.response : {})),
  ].join("");
  const images = imagesIn([...parts, ...responses.flatMap((response) => jsonObjects(response.parts))]);
  return { text: JSON.stringify(content), tokens: roughTokens(counted) + images * IMAGE_TOKENS };
}
