import { ProviderError } from "../../provider-error.ts";
import { type Usage, usageWithCost } from "../../usage.ts";
import type { AnswerBuilder, GoodStop } from "../answer-builder.ts";
import type { WireFrame } from "../frame.ts";
import { tokenCount } from "../token-count.ts";
import { type DecoderContext, type FrameDecoder, jsonOf } from "../wire-provider.ts";
import { signatureOf } from "./text-signature.ts";
import type { WireEvent, WireOutputItem, WireResponse, WireUsage } from "./wire.ts";

/** Reads a Responses stream. Terminal events: `response.completed`, `response.incomplete`, `response.failed`, `error`. */
export function createDecoder(context: DecoderContext): FrameDecoder {
  const reader = new ResponseReader(context);
  return {
    frame: (frame: WireFrame) => {
      if (frame.data === "" || frame.data === "[DONE]") return;
      const event = jsonOf(frame) as WireEvent | undefined;
      if (event === undefined) return;
      const type = event.type ?? frame.event ?? "";
      if (type === "error") throw context.classify({ body: event, text: frame.data });
      reader.event(type, event, frame);
    },
    end: () => {},
  };
}

class ResponseReader {
  readonly #context: DecoderContext;
  readonly #answer: AnswerBuilder;
  /** Item id → key of its block, for servers that leave the index out. */
  readonly #keys = new Map<string, string>();
  /** Kinds and keys of items whose content came in deltas, so that the whole text at the end adds nothing. */
  readonly #streamed = new Set<string>();
  #refusal = "";

  constructor(context: DecoderContext) {
    this.#context = context;
    this.#answer = context.answer;
  }

  event(type: string, event: WireEvent, frame: WireFrame): void {
    switch (type) {
      case "response.created":
      case "response.in_progress":
        this.#answer.start(event.response ?? {});
        break;
      case "response.output_item.added":
        if (event.item) this.#open(this.#keyOfItem(event, event.item), event.item);
        break;
      case "response.output_text.delta":
        this.#delta(event, "message", (key, delta) => this.#answer.text(key, delta));
        break;
      case "response.reasoning_summary_part.added":
        // Parts of a summary are paragraphs.
        if (tokenCount(event.summary_index) > 0) this.#answer.thinking(this.#keyOf(event), "\n\n");
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#delta(event, "reasoning", (key, delta) => this.#answer.thinking(key, delta));
        break;
      case "response.function_call_arguments.delta":
        this.#delta(event, "function_call", (key, delta) => this.#answer.callArguments(key, delta));
        break;
      case "response.refusal.delta":
        this.#refusal += textOf(event.delta);
        break;
      case "response.output_item.done":
        if (event.item) this.#finishItem(this.#keyOfItem(event, event.item), event.item);
        break;
      case "response.completed":
      case "response.incomplete":
        this.#finish(event.response ?? {}, type);
        break;
      case "response.failed":
        throw this.#context.classify({ body: { error: event.response?.error }, text: frame.data });
    }
  }

  #delta(event: WireEvent, type: string, add: (key: string, delta: string) => void): void {
    const delta = textOf(event.delta);
    if (delta === "") return;
    const key = this.#keyOf(event);
    this.#streamed.add(`${type} ${key}`);
    add(key, delta);
  }

  #open(key: string, item: WireOutputItem): void {
    if (item.type === "reasoning") this.#answer.thinking(key, "");
    if (item.type !== "function_call") return;
    const id = textOf(item.call_id) || textOf(item.id) || `call_${this.#context.newId()}`;
    this.#answer.call(key, { id, name: textOf(item.name) });
  }

  /** The finished item brings what the deltas did not: signatures, and content that was never streamed. */
  #finishItem(key: string, item: WireOutputItem): void {
    this.#open(key, item);
    const name = `${item.type} ${key}`;
    const isNew = !this.#streamed.has(name);
    if (item.type === "message") {
      if (isNew) this.#answer.text(key, contentText(item));
      const signature = signatureOf(item);
      if (signature !== undefined) this.#answer.sign(key, signature);
    } else if (item.type === "reasoning") {
      if (isNew) this.#answer.thinking(key, summaryText(item));
      this.#answer.sign(key, JSON.stringify(item));
    } else if (item.type === "function_call" && isNew) {
      this.#answer.callArguments(key, textOf(item.arguments));
    }
    this.#streamed.add(name);
    // Some servers give the encrypted reasoning only with the end of the answer: the block stays open for it.
    const isUnsigned = item.type === "reasoning" && typeof item.encrypted_content !== "string";
    if (!isUnsigned) this.#answer.closeWhole(key);
  }

  #finish(response: WireResponse, type: string): void {
    const { provider } = this.#context.request.model;
    this.#answer.start(response);
    if (response.usage) this.#answer.setUsage(readUsage(response.usage, this.#context.request.model));
    for (const [index, item] of (response.output ?? []).entries()) {
      if (item?.type === "reasoning" && typeof item.encrypted_content === "string") {
        this.#answer.sign(String(index), JSON.stringify(item));
      }
    }
    if (this.#refusal !== "") {
      throw new ProviderError({
        code: "content_filtered",
        message: `${provider} refused to answer: ${this.#refusal}`,
      });
    }
    const isIncomplete = type === "response.incomplete" || response.status === "incomplete";
    this.#answer.finish(
      isIncomplete ? incompleteStop(response, provider) : this.#answer.hasCalls ? "toolUse" : "stop",
    );
  }

  #keyOfItem(event: WireEvent, item: WireOutputItem): string {
    const id = textOf(item.id);
    const known = id === "" ? undefined : this.#keys.get(id);
    const key =
      typeof event.output_index === "number"
        ? String(event.output_index)
        : (known ?? `item ${id || this.#keys.size}`);
    if (id !== "") this.#keys.set(id, key);
    return key;
  }

  #keyOf(event: WireEvent): string {
    if (typeof event.output_index === "number") return String(event.output_index);
    const known = this.#keys.get(textOf(event.item_id));
    if (known !== undefined) return known;
    throw new ProviderError({
      code: "malformed_stream",
      message: "A piece of an answer names neither its place nor its item.",
    });
  }
}

function incompleteStop(response: WireResponse, provider: string): GoodStop {
  const reason = response.incomplete_details?.reason;
  if (reason === "content_filter") {
    throw new ProviderError({
      code: "content_filtered",
      message: `${provider} refused to answer (content_filter).`,
    });
  }
  return "length";
}

function readUsage(usage: WireUsage, model: Parameters<typeof usageWithCost>[1]): Usage {
  const prompt = tokenCount(usage.input_tokens);
  const output = tokenCount(usage.output_tokens);
  const cacheRead = Math.min(prompt, tokenCount(usage.input_tokens_details?.cached_tokens));
  const cacheWrite = Math.min(prompt - cacheRead, tokenCount(usage.input_tokens_details?.cache_write_tokens));
  const reasoning = Math.min(output, tokenCount(usage.output_tokens_details?.reasoning_tokens));
  return usageWithCost(
    {
      input: prompt - cacheRead - cacheWrite,
      output,
      cacheRead,
      cacheWrite,
      ...(reasoning > 0 ? { reasoning } : {}),
    },
    model,
  );
}

function contentText(item: WireOutputItem): string {
  return (item.content ?? []).map((part) => textOf(part?.text)).join("");
}

function summaryText(item: WireOutputItem): string {
  const parts = item.summary?.length ? item.summary : (item.content ?? []);
  return parts.map((part) => textOf(part?.text)).join("\n\n");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
