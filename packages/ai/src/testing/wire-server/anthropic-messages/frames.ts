import {
  argumentText,
  inDeltas,
  type ScriptedBlock,
  type ScriptedPace,
  stopReasonOf,
  toolCallId,
} from "../../scripted-answer.ts";
import type { JsonObject } from "../json-shape.ts";
import type { WireFrame, WireReply, WireUsage } from "../wire-format.ts";
import type { Signatures } from "./signatures.ts";

const STOP_REASON = {
  stop: "end_turn",
  length: "max_tokens",
  toolUse: "tool_use",
  refusal: "refusal",
} as const;

const frame = (type: string, fields: JsonObject, more: Partial<WireFrame> = {}): WireFrame => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
  ...more,
});

/** The events of a streamed answer: https://platform.claude.com/docs/en/build-with-claude/streaming (2026-11). */
export function* messageFrames(reply: WireReply, signatures: Signatures): Generator<WireFrame> {
  const { answer, usage } = reply;
  const message = { ...head(reply), content: [], stop_reason: null, usage: usageOf(usage, 1) };
  yield frame("message_start", { message });
  for (const [index, block] of answer.content.entries()) {
    yield* blockFrames({ block, index, reply, signatures, pace: answer.pace });
  }
  const stop = STOP_REASON[stopReasonOf(answer)];
  const delta = { stop_reason: stop, stop_sequence: null };
  yield frame("message_delta", { delta, usage: usageOf(usage, usage.output) }, { isEnd: true });
  yield frame("message_stop", {});
}

interface BlockInReply {
  readonly block: ScriptedBlock;
  readonly index: number;
  readonly reply: WireReply;
  readonly signatures: Signatures;
  readonly pace: ScriptedPace | undefined;
}

function* blockFrames({ block, index, reply, signatures, pace }: BlockInReply): Generator<WireFrame> {
  const whole = wholeBlock(block, index, reply.callIndex, signatures);
  const start = (content_block: object) => frame("content_block_start", { index, content_block });
  const delta = (change: object, isDelta: boolean) =>
    frame("content_block_delta", { index, delta: change }, { isDelta });
  if (block.type === "text") {
    yield start({ type: "text", text: "" });
    for (const text of inDeltas(block.text, pace)) yield delta({ type: "text_delta", text }, true);
  } else if (block.type === "toolCall") {
    yield start({ ...whole, input: {} });
    yield delta({ type: "input_json_delta", partial_json: "" }, false);
    for (const partial_json of inDeltas(argumentText(block), pace))
      yield delta({ type: "input_json_delta", partial_json }, true);
  } else if (block.redacted) {
    yield start(whole);
  } else {
    yield start({ type: "thinking", thinking: "", signature: "" });
    for (const thinking of inDeltas(block.thinking, pace))
      yield delta({ type: "thinking_delta", thinking }, true);
    yield delta({ type: "signature_delta", signature: whole.signature }, false);
  }
  yield frame("content_block_stop", { index });
}

/** The answer in one piece, for `stream: false`. */
export function wholeMessage(reply: WireReply, signatures: Signatures): unknown {
  const { answer, callIndex, usage } = reply;
  return {
    ...head(reply),
    content: answer.content.map((block, index) => wholeBlock(block, index, callIndex, signatures)),
    stop_reason: STOP_REASON[stopReasonOf(answer)],
    usage: usageOf(usage, usage.output),
  };
}

function head(reply: WireReply) {
  return {
    id: `msg_${String(reply.callIndex + 1).padStart(6, "0")}`,
    type: "message",
    role: "assistant",
    model: reply.body.model,
    stop_sequence: null,
  };
}

function wholeBlock(
  block: ScriptedBlock,
  index: number,
  callIndex: number,
  signatures: Signatures,
): Readonly<Record<string, unknown>> {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "toolCall") {
    const id = block.id ?? toolCallId(block, callIndex, index).replace("call_", "toolu_");
    return { type: "tool_use", id, name: block.name, input: inputOf(block.arguments) };
  }
  const signature = block.signature ?? signatures.sign(block.thinking);
  if (block.signature !== undefined) signatures.accept(block.signature, block.thinking);
  return block.redacted
    ? { type: "redacted_thinking", data: signature }
    : { type: "thinking", thinking: block.thinking, signature };
}

function inputOf(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    return JSON.parse(args);
  } catch {
    return {};
  }
}

function usageOf(usage: WireUsage, output: number) {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite - usage.cacheWrite1h,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    output_tokens: output,
    service_tier: "standard",
  };
}
