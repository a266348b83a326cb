import { inDeltas, stopReasonOf } from "../../scripted-answer.ts";
import type { JsonObject } from "../json-shape.ts";
import type { WireFrame, WireReply, WireUsage } from "../wire-format.ts";
import type { IssuedItems } from "./issued-items.ts";
import { emptyItem, firstPart, type OutputItem, outputItems } from "./output-items.ts";

const MS_PER_SECOND = 1_000;

interface Step {
  readonly type: string;
  readonly fields: JsonObject;
  readonly isDelta?: boolean;
}

/** The events of a streamed response: https://platform.openai.com/docs/api-reference/responses-streaming (2026-11). */
export function* responseFrames(reply: WireReply, issued: IssuedItems): Generator<WireFrame> {
  let sequence = 0;
  const frame = (type: string, fields: JsonObject, more: Partial<WireFrame> = {}): WireFrame => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: sequence++, ...fields }),
    ...more,
  });
  const response = head(reply, "in_progress");
  yield frame("response.created", { response });
  yield frame("response.in_progress", { response });
  const items = outputItems(reply, issued);
  for (const [output_index, output] of items.entries()) {
    const place = { output_index, item_id: output.item.id };
    yield frame("response.output_item.added", { output_index, item: emptyItem(output.item) });
    for (const { type, fields, isDelta } of steps(output, reply))
      yield frame(type, { ...place, ...fields }, isDelta === true ? { isDelta } : {});
    yield frame("response.output_item.done", { output_index, item: output.item });
  }
  const whole = finished(reply, items);
  yield frame(`response.${whole.status}`, { response: whole }, { isEnd: true });
}

function* steps({ block, item }: OutputItem, reply: WireReply): Generator<Step> {
  const pace = reply.answer.pace;
  if (block.type === "text") {
    const place = { content_index: 0 };
    const part = firstPart(item);
    yield { type: "response.content_part.added", fields: { ...place, part: { ...part, text: "" } } };
    for (const delta of inDeltas(block.text, pace))
      yield {
        type: "response.output_text.delta",
        fields: { ...place, delta, logprobs: [] },
        isDelta: true,
      };
    yield { type: "response.output_text.done", fields: { ...place, text: block.text, logprobs: [] } };
    yield { type: "response.content_part.done", fields: { ...place, part } };
  } else if (block.type === "toolCall") {
    const text = String(item.arguments);
    for (const delta of inDeltas(text, pace))
      yield { type: "response.function_call_arguments.delta", fields: { delta }, isDelta: true };
    yield { type: "response.function_call_arguments.done", fields: { arguments: text, name: item.name } };
  } else if (!block.redacted) {
    const place = { summary_index: 0 };
    const part = firstPart(item);
    yield {
      type: "response.reasoning_summary_part.added",
      fields: { ...place, part: { ...part, text: "" } },
    };
    for (const delta of inDeltas(block.thinking, pace))
      yield {
        type: "response.reasoning_summary_text.delta",
        fields: { ...place, delta },
        isDelta: true,
      };
    yield { type: "response.reasoning_summary_text.done", fields: { ...place, text: block.thinking } };
    yield { type: "response.reasoning_summary_part.done", fields: { ...place, part } };
  }
}

/** The answer in one piece, for `stream: false`. */
export function wholeResponse(reply: WireReply, issued: IssuedItems): unknown {
  return finished(reply, outputItems(reply, issued));
}

function head(reply: WireReply, status: string) {
  return {
    id: `resp_${String(reply.callIndex + 1).padStart(6, "0")}`,
    object: "response",
    created_at: Math.floor(reply.now / MS_PER_SECOND),
    status,
    error: null,
    incomplete_details: null as null | { readonly reason: string },
    model: reply.body.model,
    output: [] as readonly JsonObject[],
    store: reply.body.store ?? true,
  };
}

function finished(reply: WireReply, items: readonly OutputItem[]) {
  const stop = stopReasonOf(reply.answer);
  const reason = stop === "length" ? "max_output_tokens" : stop === "refusal" ? "content_filter" : undefined;
  return {
    ...head(reply, reason === undefined ? "completed" : "incomplete"),
    incomplete_details: reason === undefined ? null : { reason },
    output: items.map(({ item }) => item),
    usage: usageOf(reply.usage),
  };
}

function usageOf(usage: WireUsage) {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}
