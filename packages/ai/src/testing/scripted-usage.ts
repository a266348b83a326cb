import type { Message } from "../message.ts";
import type { ChatRequest } from "../request.ts";
import { type Usage, usageWithCost } from "../usage.ts";
import { type PrefixCache, type PromptUnit, roughTokens, textUnit } from "./prefix-cache.ts";
import { argumentText, type ScriptedAnswer } from "./scripted-answer.ts";

/** Tokens of an image whatever its size: what the estimate of the compaction layer assumes too. */
const IMAGE_TOKENS = 1200;

/** The prompt of a request as a provider would count it: system prompt, tools, then each message. */
function promptUnits(request: ChatRequest): readonly PromptUnit[] {
  const head = [request.systemPrompt, request.tools?.length ? JSON.stringify(request.tools) : undefined];
  return [
    ...head.filter((text) => text !== undefined && text !== "").map((text) => textUnit(text ?? "")),
    ...request.messages.map(messageUnit),
  ];
}

function messageUnit(message: Message): PromptUnit {
  let images = 0;
  const parts =
    typeof message.content === "string"
      ? [message.content]
      : message.content.map((block) => {
          if (block.type === "text") return block.text;
          if (block.type === "thinking") return block.thinking;
          if (block.type === "toolCall") return `${block.name}${JSON.stringify(block.arguments)}`;
          images++;
          return "";
        });
  const images64 = images === 0 ? "" : JSON.stringify(message.content);
  const text = parts.join("\n");
  return { text: `${message.role}\n${text}${images64}`, tokens: roughTokens(text) + images * IMAGE_TOKENS };
}

/** Simulated usage of an answer: about 4 characters a token, the prefix cached per session, overrides on top. */
export function simulateUsage(request: ChatRequest, answer: ScriptedAnswer, cache: PrefixCache): Usage {
  const key = request.cacheRetention === "none" ? undefined : request.sessionId;
  const { promptTokens, cachedTokens } = cache.measure(key, promptUnits(request));
  const counts = { input: promptTokens - cachedTokens, cacheRead: cachedTokens, cacheWrite: 0 };
  return usageWithCost({ ...counts, ...outputCounts(answer), ...answer.usage }, request.model);
}

/** Output tokens of an answer; `reasoning` only where it reasons. */
export function outputCounts(answer: ScriptedAnswer): {
  readonly output: number;
  readonly reasoning?: number;
} {
  let output = 0;
  let reasoning = 0;
  for (const block of answer.content) {
    if (block.type === "text") output += roughTokens(block.text);
    else if (block.type === "thinking") reasoning += roughTokens(block.thinking);
    else output += roughTokens(block.name + argumentText(block));
  }
  return reasoning === 0 ? { output } : { output: output + reasoning, reasoning };
}
