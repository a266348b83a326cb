import { ProviderError } from "../../provider-error.ts";
import { type TokenCounts, type Usage, usageWithCost } from "../../usage.ts";
import type { GoodStop } from "../answer-builder.ts";
import type { WireFrame } from "../frame.ts";
import { tokenCount } from "../token-count.ts";
import { type DecoderContext, type FrameDecoder, jsonOf } from "../wire-provider.ts";
import { REASONING_FIELDS } from "./encode.ts";
import { quirksOf } from "./quirks.ts";
import { ReasoningDetails } from "./reasoning-details.ts";
import { ToolCallJoiner } from "./tool-call-joiner.ts";
import type { WireChunk, WireDelta, WireUsage } from "./wire.ts";

const END_OF_STREAM = "[DONE]";

/** Finish reasons of OpenAI and of compatible servers (Ollama, vLLM, Together, Mistral). */
const STOPS: Readonly<Record<string, GoodStop>> = {
  stop: "stop",
  end: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  tool_calls: "toolUse",
  tool_use: "toolUse",
  function_call: "toolUse",
  length: "length",
  max_tokens: "length",
  model_length: "length",
};

/** Reads a Chat Completions stream. It is whole once there was a finish reason or `[DONE]`. */
export function createDecoder(context: DecoderContext): FrameDecoder {
  const reader = new ChunkReader(context);
  return {
    frame: (frame: WireFrame) => {
      if (frame.data.trim() === END_OF_STREAM) reader.done();
      else if (frame.data !== "") read(frame, { context, reader });
    },
    end: () => {
      const isWhole =
        reader.finishReason !== undefined || !quirksOf(context.request.model).supportsFinishReason;
      if (isWhole) reader.done();
    },
  };
}

function read(frame: WireFrame, { context, reader }: { context: DecoderContext; reader: ChunkReader }): void {
  const chunk = jsonOf(frame) as WireChunk | undefined;
  if (chunk === undefined) return;
  const isError = frame.event === "error" || (chunk.error !== undefined && chunk.error !== null);
  if (isError) throw context.classify({ body: chunk, text: frame.data });
  reader.chunk(chunk);
}

type PartKind = "text" | "thinking" | "call";

class ChunkReader {
  finishReason: unknown;
  readonly #context: DecoderContext;
  readonly #calls: ToolCallJoiner;
  /** Text and thinking get a new block whenever something else came in between. */
  #segment = 0;
  #lastKind: PartKind | undefined;
  #refusal = "";
  #details = new ReasoningDetails();

  constructor(context: DecoderContext) {
    this.#context = context;
    this.#calls = new ToolCallJoiner(context.answer, context.newId);
  }

  chunk(chunk: WireChunk): void {
    const { answer, request } = this.#context;
    const choice = chunk.choices?.[0];
    const usage = chunk.usage ?? choice?.usage;
    if (chunk.id !== undefined || chunk.model !== undefined || choice) answer.start(chunk);
    if (usage) answer.setUsage(readUsage(usage, request.model));
    if (choice?.delta) this.#delta(choice.delta);
    if (choice?.finish_reason !== undefined && choice.finish_reason !== null && choice.finish_reason !== "") {
      this.finishReason = choice.finish_reason;
    }
  }

  done(): void {
    const { answer, request } = this.#context;
    if (answer.isFinished) return;
    this.#endPart();
    this.#calls.end();
    if (this.#refusal !== "") {
      throw new ProviderError({
        code: "content_filtered",
        message: `${request.model.provider} refused to answer: ${this.#refusal}`,
      });
    }
    answer.finish(stopOf(this.finishReason, { provider: request.model.provider, hasCalls: answer.hasCalls }));
  }

  /** Reasoning stands before the text of the same chunk. */
  #delta(delta: WireDelta): void {
    this.#reasoning(delta);
    const text = contentText(delta.content);
    if (text !== "") this.#context.answer.text(this.#part("text"), text);
    if (typeof delta.refusal === "string") this.#refusal += delta.refusal;
    for (const call of delta.tool_calls ?? []) {
      if (call === null) continue;
      this.#part("call");
      this.#calls.add(call);
    }
  }

  /** Servers fill several fields with the same text: one is read. */
  #reasoning(delta: WireDelta): void {
    const { answer } = this.#context;
    const field = REASONING_FIELDS.find((name) => typeof delta[name] === "string" && delta[name] !== "");
    const hasDetails = Array.isArray(delta.reasoning_details) && delta.reasoning_details.length > 0;
    if (field === undefined && !hasDetails) return;
    const key = this.#part("thinking");
    const text = this.#details.add(delta.reasoning_details);
    answer.thinking(key, field === undefined ? text : String(delta[field]));
    if (field !== undefined) answer.sign(key, field);
  }

  /** A block of reasoning ends with all its details as its signature. */
  #endPart(): void {
    if (this.#lastKind === undefined || this.#lastKind === "call") return;
    const key = `${this.#lastKind} ${this.#segment}`;
    const details = this.#lastKind === "thinking" ? this.#details.signature() : undefined;
    if (details !== undefined) this.#context.answer.sign(key, details);
    this.#context.answer.close(key);
    this.#details = new ReasoningDetails();
  }

  #part(kind: PartKind): string {
    if (this.#lastKind !== kind) {
      this.#endPart();
      this.#segment++;
      this.#lastKind = kind;
    }
    return `${kind} ${this.#segment}`;
  }
}

/** Text of a delta; Mistral sends parts. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

/** Usage without double counting: cached tokens leave `input`, reasoning stays inside `output`. */
function readUsage(usage: WireUsage, model: Parameters<typeof usageWithCost>[1]): Usage {
  const prompt = tokenCount(usage.prompt_tokens);
  const completion = tokenCount(usage.completion_tokens);
  const reasoning = tokenCount(usage.completion_tokens_details?.reasoning_tokens);
  const cacheRead = Math.min(
    prompt,
    tokenCount(usage.prompt_tokens_details?.cached_tokens) ||
      tokenCount(usage.cached_tokens) ||
      tokenCount(usage.prompt_cache_hit_tokens),
  );
  const cacheWrite = Math.min(
    prompt - cacheRead,
    tokenCount(usage.prompt_tokens_details?.cache_write_tokens),
  );
  // Some servers (xAI) report reasoning beside the completion; the total gives it away.
  const isBeside = reasoning > 0 && tokenCount(usage.total_tokens) === prompt + completion + reasoning;
  const output = isBeside ? completion + reasoning : completion;
  const counts: TokenCounts = {
    input: prompt - cacheRead - cacheWrite,
    output,
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning: Math.min(reasoning, output) } : {}),
  };
  const full = usageWithCost(counts, model);
  const billed = usage.cost;
  return typeof billed === "number" && Number.isFinite(billed) && billed > 0
    ? { ...full, cost: { ...full.cost, total: billed, totalFromProvider: true } }
    : full;
}

function stopOf(reason: unknown, { provider, hasCalls }: { provider: string; hasCalls: boolean }): GoodStop {
  // A server that ends with [DONE] alone said all it wanted to.
  const stop =
    reason === undefined ? "stop" : Object.hasOwn(STOPS, String(reason)) ? STOPS[String(reason)] : undefined;
  if (stop === "length") return stop;
  if (stop !== undefined) return hasCalls ? "toolUse" : "stop";
  if (reason === "content_filter" || reason === "sensitive" || reason === "refusal") {
    throw new ProviderError({
      code: "content_filtered",
      message: `${provider} refused to answer (${reason}).`,
    });
  }
  if (reason === "network_error") {
    throw new ProviderError({
      code: "network",
      message: `${provider} lost its model during the answer (network_error).`,
    });
  }
  throw new ProviderError({
    code: "unknown",
    // A server that says no more than "error" may well answer next time.
    retryable: reason === "error",
    message: `${provider} stopped for a reason that is not known: ${JSON.stringify(reason)}.`,
  });
}
