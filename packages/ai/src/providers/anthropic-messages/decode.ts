import { ProviderError } from "../../provider-error.ts";
import { type TokenCounts, usageWithCost } from "../../usage.ts";
import type { GoodStop } from "../answer-builder.ts";
import type { WireFrame } from "../frame.ts";
import { tokenCount } from "../token-count.ts";
import { type DecoderContext, type FrameDecoder, jsonOf } from "../wire-provider.ts";
import type { WireEvent, WireUsage } from "./wire.ts";

/** Stop reasons: https://docs.claude.com/en/api/handling-stop-reasons (2026-11). */
const STOPS: Readonly<Record<string, GoodStop>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  tool_use: "toolUse",
  max_tokens: "length",
};

/** Events that belong to the format; others are a relay's own and are passed over, also when they are not JSON. */
const EVENTS: ReadonlySet<string> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "error",
]);

/** Reads a Messages API stream. The terminal event is `message_stop`. */
export function createDecoder(context: DecoderContext): FrameDecoder {
  const { answer, request } = context;
  let counts: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  let stopReason: unknown;
  let refusal: unknown;

  const addUsage = (usage: WireUsage | null | undefined) => {
    if (!usage) return;
    counts = mergeCounts(counts, usage);
    answer.setUsage(usageWithCost(counts, request.model));
  };

  const handle = (event: WireEvent) => {
    switch (event.type) {
      case "message_start":
        addUsage(event.message?.usage);
        answer.start(event.message ?? {});
        break;
      case "content_block_start":
        startBlock(context, event);
        break;
      case "content_block_delta":
        addDelta(context, event);
        break;
      case "content_block_stop":
        answer.closeWhole(String(event.index));
        break;
      case "message_delta":
        addUsage(event.usage);
        stopReason = event.delta?.stop_reason ?? stopReason;
        refusal = event.delta?.stop_details?.explanation ?? refusal;
        break;
      case "message_stop":
        answer.finish(
          stopOf(stopReason, { provider: request.model.provider, refusal, hasCalls: answer.hasCalls }),
        );
    }
  };

  return {
    frame: (frame: WireFrame) => {
      if (frame.data === "" || (frame.event !== null && !EVENTS.has(frame.event))) return;
      const event = jsonOf(frame) as WireEvent | undefined;
      if (event === undefined) return;
      if (event.type === "error" || frame.event === "error") {
        throw context.classify({ body: event, text: frame.data });
      }
      handle(event);
    },
    end: () => {},
  };
}

/** A start event may hold the block's first piece already. */
function startBlock({ answer, newId }: DecoderContext, event: WireEvent): void {
  const key = String(event.index);
  const block = event.content_block ?? {};
  switch (block.type) {
    case "text":
      answer.text(key, textOf(block.text));
      break;
    case "thinking":
      answer.thinking(key, textOf(block.thinking));
      if (textOf(block.signature) !== "") answer.sign(key, textOf(block.signature));
      break;
    case "redacted_thinking":
      answer.thinking(key, "");
      answer.sign(key, textOf(block.data), { redacted: true });
      break;
    case "tool_use":
      answer.call(key, { id: textOf(block.id) || `toolu_${newId()}`, name: textOf(block.name) });
      if (isFilled(block.input)) answer.callArguments(key, JSON.stringify(block.input));
  }
}

function addDelta({ answer }: DecoderContext, event: WireEvent): void {
  const key = String(event.index);
  const delta = event.delta ?? {};
  switch (delta.type) {
    case "text_delta":
      answer.text(key, textOf(delta.text));
      break;
    case "thinking_delta":
      answer.thinking(key, textOf(delta.thinking));
      break;
    case "signature_delta":
      answer.thinking(key, "");
      answer.sign(key, textOf(delta.signature));
      break;
    case "input_json_delta":
      answer.callArguments(key, textOf(delta.partial_json));
  }
}

/** Counts of a later event replace earlier ones, but relays that send zeroes or nothing erase nothing. */
function mergeCounts(counts: TokenCounts, usage: WireUsage): TokenCounts {
  const longWrite = tokenCount(usage.cache_creation?.ephemeral_1h_input_tokens) || counts.cacheWrite1h;
  const reasoning = tokenCount(usage.output_tokens_details?.thinking_tokens) || counts.reasoning;
  return {
    input: tokenCount(usage.input_tokens) || counts.input,
    output: tokenCount(usage.output_tokens) || counts.output,
    cacheRead: tokenCount(usage.cache_read_input_tokens) || counts.cacheRead,
    cacheWrite: tokenCount(usage.cache_creation_input_tokens) || counts.cacheWrite,
    ...(longWrite ? { cacheWrite1h: longWrite } : {}),
    ...(reasoning ? { reasoning } : {}),
  };
}

interface StopContext {
  readonly provider: string;
  readonly refusal: unknown;
  readonly hasCalls: boolean;
}

function stopOf(reason: unknown, { provider, refusal, hasCalls }: StopContext): GoodStop {
  const stop = typeof reason === "string" && Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
  if (stop === "stop" || stop === "toolUse") return hasCalls ? "toolUse" : "stop";
  if (stop !== undefined) return stop;
  if (reason === "refusal" || reason === "sensitive") {
    const why = typeof refusal === "string" && refusal !== "" ? `: ${refusal}` : ".";
    throw new ProviderError({
      code: "content_filtered",
      message: `${provider} refused to answer (${reason})${why}`,
    });
  }
  if (reason === "model_context_window_exceeded") {
    throw new ProviderError({
      code: "context_overflow",
      message: `The answer of ${provider} filled the context window.`,
    });
  }
  throw new ProviderError({
    code: "unknown",
    message: `${provider} stopped for a reason that is not known: ${JSON.stringify(reason) ?? "none given"}.`,
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
