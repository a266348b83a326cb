import { ProviderError, type ProviderErrorCode } from "../../provider-error.ts";
import { type Usage, usageWithCost } from "../../usage.ts";
import type { GoodStop } from "../answer-builder.ts";
import type { WireFrame } from "../frame.ts";
import { tokenCount } from "../token-count.ts";
import { type DecoderContext, type FrameDecoder, jsonOf } from "../wire-provider.ts";
import type { WireAnswerPart, WireChunk, WireUsage } from "./wire.ts";

/** Finish reasons: https://ai.google.dev/api/generate-content#FinishReason (2026-11). */
const STOPS: Readonly<Record<string, GoodStop>> = { STOP: "stop", MAX_TOKENS: "length" };
const FAILURES: Readonly<Record<string, ProviderErrorCode>> = {
  SAFETY: "content_filtered",
  RECITATION: "content_filtered",
  LANGUAGE: "content_filtered",
  BLOCKLIST: "content_filtered",
  PROHIBITED_CONTENT: "content_filtered",
  SPII: "content_filtered",
  IMAGE_SAFETY: "content_filtered",
  IMAGE_PROHIBITED_CONTENT: "content_filtered",
  IMAGE_RECITATION: "content_filtered",
  // The model wrote a call that is none; the next try is usually well formed.
  MALFORMED_FUNCTION_CALL: "malformed_stream",
  MALFORMED_RESPONSE: "malformed_stream",
  UNEXPECTED_TOOL_CALL: "malformed_stream",
  TOO_MANY_TOOL_CALLS: "malformed_stream",
  MISSING_THOUGHT_SIGNATURE: "rejected_signature",
};

/** Reads a `streamGenerateContent` stream. It is whole once a candidate had a finish reason. */
export function createDecoder(context: DecoderContext): FrameDecoder {
  const reader = new ChunkReader(context);
  return {
    frame: (frame: WireFrame) => {
      const data = frame.data.trim();
      if (data === "" || data === "[DONE]") return;
      const chunk = jsonOf(frame) as WireChunk | undefined;
      if (chunk === undefined) return;
      const isError = frame.event === "error" || (chunk.error !== undefined && chunk.error !== null);
      if (isError) throw context.classify({ body: chunk, text: frame.data });
      reader.chunk(chunk);
    },
    end: () => reader.end(),
  };
}

type PartKind = "text" | "thinking" | "call";

class ChunkReader {
  readonly #context: DecoderContext;
  readonly #callIds = new Set<string>();
  #finishReason: string | undefined;
  #finishMessage = "";
  /** Counts blocks: text and thoughts get a new one whenever something else, or a signed part, came in between. */
  #segment = 0;
  #kind: PartKind | undefined;
  /** The open block's name for the builder. */
  #key = "";
  #isSigned = false;

  constructor(context: DecoderContext) {
    this.#context = context;
  }

  chunk(chunk: WireChunk): void {
    const { answer, request } = this.#context;
    if (chunk.usageMetadata) answer.setUsage(readUsage(chunk.usageMetadata, request.model));
    const candidate = chunk.candidates?.[0];
    const blockReason = chunk.promptFeedback?.blockReason;
    if (candidate || chunk.responseId !== undefined || typeof blockReason === "string") {
      answer.start({ id: chunk.responseId, model: chunk.modelVersion });
    }
    if (typeof blockReason === "string") throw this.#blocked(blockReason, chunk);
    for (const part of candidate?.content?.parts ?? []) if (part) this.#part(part);
    if (typeof candidate?.finishReason === "string" && candidate.finishReason !== "") {
      this.#finishReason = candidate.finishReason;
      this.#finishMessage = textOf(candidate.finishMessage);
    }
  }

  end(): void {
    const { answer } = this.#context;
    if (this.#finishReason === undefined) return;
    const stop = this.#stop(this.#finishReason);
    answer.finish(stop === "stop" && answer.hasCalls ? "toolUse" : stop);
  }

  #part(part: WireAnswerPart): void {
    const { answer } = this.#context;
    const signature = textOf(part.thoughtSignature);
    if (part.functionCall) this.#call(part.functionCall, signature);
    else if (typeof part.text === "string") {
      const kind = part.thought === true ? "thinking" : "text";
      // An empty part that only signs belongs to the block before it.
      if (part.text === "" && this.#signsLast(kind)) this.#sign(signature);
      else if (part.text !== "" || signature !== "") {
        const key = this.#open(kind);
        if (kind === "text") answer.text(key, part.text);
        else answer.thinking(key, part.text);
        this.#sign(signature);
      }
    }
  }

  #signsLast(kind: PartKind): boolean {
    return this.#kind === kind && !this.#isSigned;
  }

  #sign(signature: string): void {
    if (signature === "") return;
    this.#context.answer.sign(this.#key, signature);
    this.#isSigned = true;
  }

  #call(call: NonNullable<WireAnswerPart["functionCall"]>, signature: string): void {
    const { answer } = this.#context;
    const key = this.#open("call");
    answer.call(key, { id: this.#callId(textOf(call.id)), name: textOf(call.name) });
    answer.callArguments(key, argumentText(call.args));
    this.#sign(signature);
    answer.close(key);
  }

  /** Older models name no call, and relays give one name to several. */
  #callId(given: string): string {
    const id = given === "" || this.#callIds.has(given) ? `call_${this.#context.newId()}` : given;
    this.#callIds.add(id);
    return id;
  }

  /** The key of the block that a part belongs to; a signed block takes nothing more. */
  #open(kind: PartKind): string {
    if (this.#kind !== kind || kind === "call" || this.#isSigned) {
      this.#context.answer.close(this.#key);
      this.#segment++;
      this.#kind = kind;
      this.#key = `${kind} ${this.#segment}`;
      this.#isSigned = false;
    }
    return this.#key;
  }

  #stop(reason: string): GoodStop {
    const stop = Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
    if (stop !== undefined) return stop;
    const { provider } = this.#context.request.model;
    const code = Object.hasOwn(FAILURES, reason) ? FAILURES[reason] : undefined;
    const why = this.#finishMessage === "" ? "." : `: ${this.#finishMessage}`;
    if (code === "content_filtered") {
      throw new ProviderError({ code, message: `${provider} refused to answer (${reason})${why}` });
    }
    if (code !== undefined)
      throw new ProviderError({ code, message: `${provider} stopped (${reason})${why}` });
    throw new ProviderError({
      code: "unknown",
      message: `${provider} stopped for a reason that is not known: ${JSON.stringify(reason)}${why}`,
    });
  }

  #blocked(reason: string, chunk: WireChunk): ProviderError {
    const why = textOf(chunk.promptFeedback?.blockReasonMessage);
    return new ProviderError({
      code: "content_filtered",
      message: `${this.#context.request.model.provider} refused the prompt (${reason})${why === "" ? "." : `: ${why}`}`,
    });
  }
}

function readUsage(usage: WireUsage, model: Parameters<typeof usageWithCost>[1]): Usage {
  const prompt = tokenCount(usage.promptTokenCount) + tokenCount(usage.toolUsePromptTokenCount);
  const cacheRead = Math.min(prompt, tokenCount(usage.cachedContentTokenCount));
  const reasoning = tokenCount(usage.thoughtsTokenCount);
  return usageWithCost(
    {
      input: prompt - cacheRead,
      output: tokenCount(usage.candidatesTokenCount) + reasoning,
      cacheRead,
      cacheWrite: 0,
      ...(reasoning > 0 ? { reasoning } : {}),
    },
    model,
  );
}

function argumentText(args: unknown): string {
  if (typeof args === "string") return args;
  return args === undefined || args === null ? "" : JSON.stringify(args);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
