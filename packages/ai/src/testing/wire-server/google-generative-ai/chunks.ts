import {
  argumentText,
  inDeltas,
  type ScriptedPace,
  type ScriptedThinking,
  type ScriptedToolCall,
  stopReasonOf,
  toolCallId,
} from "../../scripted-answer.ts";
import { isJsonObject, type JsonObject } from "../json-shape.ts";
import type { WireFrame, WireReply } from "../wire-format.ts";
import { modelOf } from "./read.ts";
import type { Thoughts } from "./thoughts.ts";

const FINISH_REASON = { stop: "STOP", length: "MAX_TOKENS", toolUse: "STOP", refusal: "SAFETY" } as const;

/** A part of the answer; `isText` ones go out in deltas. */
interface AnswerPart {
  readonly part: JsonObject;
  readonly isText: boolean;
}

interface AnswerParts {
  readonly parts: readonly AnswerPart[];
  /** The signature of reasoning that no call followed; it comes with the last chunk. */
  readonly lastSignature?: string;
  /** A call whose arguments are no JSON object ends the answer: this API sends no argument text. */
  readonly malformed?: string;
}

/** The chunks of a streamed answer: https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent (2026-11). */
export function* responseChunks(reply: WireReply, thoughts: Thoughts): Generator<WireFrame> {
  const answer = answerParts(reply, thoughts);
  const head = headOf(reply);
  const prompt = promptCounts(reply);
  const beginning = { ...prompt, totalTokenCount: prompt.promptTokenCount };
  for (const { part, isText } of answer.parts) {
    for (const piece of isText ? textPieces(part, reply.answer.pace) : [part]) {
      const candidates = [{ content: { parts: [piece], role: "model" }, index: 0 }];
      yield { data: JSON.stringify({ candidates, usageMetadata: beginning, ...head }), isDelta: true };
    }
  }
  yield { data: JSON.stringify({ ...ending(reply, answer), ...head }), isEnd: true };
}

function* textPieces(part: JsonObject, pace: ScriptedPace | undefined): Generator<JsonObject> {
  for (const text of inDeltas(String(part.text), pace)) yield { ...part, text };
}

/** The last chunk: why the answer ended, and what it cost. */
function ending(reply: WireReply, { parts, lastSignature, malformed }: AnswerParts): JsonObject {
  const usageMetadata = usageOf(reply);
  const stop = stopReasonOf(reply.answer);
  if (stop === "refusal" && parts.length === 0) {
    const safetyRatings = [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH" }];
    return { promptFeedback: { blockReason: "SAFETY", safetyRatings }, usageMetadata };
  }
  const signature = lastSignature === undefined ? {} : { thoughtSignature: lastSignature };
  const content =
    parts.length === 0 ? { role: "model" } : { parts: [{ text: "", ...signature }], role: "model" };
  const reason =
    malformed === undefined
      ? { finishReason: FINISH_REASON[stop] }
      : { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: `Malformed function call: ${malformed}` };
  return { candidates: [{ content, index: 0, ...reason }], usageMetadata };
}

/** The answer in one piece; a list of one for the streaming endpoint without `alt=sse`, as the API answers there. */
export function wholeResponse(reply: WireReply, thoughts: Thoughts): unknown {
  const answer = answerParts(reply, thoughts);
  const last = ending(reply, answer);
  const parts = answer.parts.map(({ part }) => part);
  const [candidate] = Array.isArray(last.candidates) ? (last.candidates as readonly JsonObject[]) : [];
  const signed =
    answer.lastSignature === undefined ? [] : [{ text: "", thoughtSignature: answer.lastSignature }];
  const content = { parts: [...parts, ...signed], role: "model" };
  const whole = {
    ...last,
    ...(candidate === undefined || parts.length === 0 ? {} : { candidates: [{ ...candidate, content }] }),
    ...headOf(reply),
  };
  return reply.target.includes(":streamGenerateContent") ? [whole] : whole;
}

const headOf = ({ target, callIndex }: WireReply) => ({
  modelVersion: modelOf(target),
  responseId: `resp_${String(callIndex + 1).padStart(6, "0")}`,
});

/** The parts of an answer. The signature of reasoning sits on the first call after it, or else on the last chunk. */
function answerParts(reply: WireReply, thoughts: Thoughts): AnswerParts {
  const parts: AnswerPart[] = [];
  let pending: string | undefined;
  for (const [index, block] of reply.answer.content.entries()) {
    if (block.type === "text") {
      if (block.text !== "") parts.push({ part: { text: block.text }, isText: true });
    } else if (block.type === "thinking") {
      pending = signatureOf(block, thoughts);
      if (!block.redacted) parts.push({ part: { text: block.thinking, thought: true }, isText: true });
    } else {
      const call = callOf(block, toolCallId(block, reply.callIndex, index));
      if (call === undefined) return { parts, malformed: `${block.name}(${argumentText(block)})` };
      if (pending !== undefined) thoughts.signed(call);
      const signature = pending === undefined ? {} : { thoughtSignature: pending };
      parts.push({ part: { functionCall: call, ...signature }, isText: false });
      pending = undefined;
    }
  }
  return { parts, ...(pending === undefined ? {} : { lastSignature: pending }) };
}

function signatureOf(block: ScriptedThinking, { signatures }: Thoughts): string {
  if (block.signature === undefined) return signatures.sign(block.thinking);
  signatures.accept(block.signature, block.thinking);
  return block.signature;
}

/** The call as an object; undefined for argument text that is none. No text at all means no arguments. */
function callOf(block: ScriptedToolCall, id: string): JsonObject | undefined {
  const text = argumentText(block);
  if (text === "") return { name: block.name, id };
  try {
    const args: unknown = JSON.parse(text);
    return isJsonObject(args) ? { name: block.name, args, id } : undefined;
  } catch {
    return undefined;
  }
}

function promptCounts({ usage }: WireReply) {
  const promptTokenCount = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    promptTokenCount,
    ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: promptTokenCount }],
  };
}

/** Cached tokens are inside the prompt's count; thoughts are outside the candidates'. */
function usageOf(reply: WireReply) {
  const { output, reasoning } = reply.usage;
  const prompt = promptCounts(reply);
  return {
    ...prompt,
    candidatesTokenCount: output - reasoning,
    ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
    totalTokenCount: prompt.promptTokenCount + output,
  };
}
