import {
  argumentText,
  inDeltas,
  type ScriptedBlock,
  stopReasonOf,
  toolCallId,
} from "../../scripted-answer.ts";
import { isJsonObject } from "../json-shape.ts";
import type { WireFrame, WireReply, WireUsage } from "../wire-format.ts";

const FINISH_REASON = {
  stop: "stop",
  length: "length",
  toolUse: "tool_calls",
  refusal: "content_filter",
} as const;

const MS_PER_SECOND = 1_000;

/**
 * The chunks of a streamed answer: https://platform.openai.com/docs/api-reference/chat-streaming (2026-11).
 *
 * Reasoning goes out as `reasoning_content`, as compatible servers send it. The usage chunk comes only when asked for.
 */
export function* completionChunks(reply: WireReply): Generator<WireFrame> {
  const { answer, body } = reply;
  const options = isJsonObject(body.stream_options) ? body.stream_options : {};
  const head = headOf(reply, "chat.completion.chunk");
  const usage = options.include_usage === true ? { usage: null } : {};
  const chunk = (delta: object, more: Partial<WireFrame> = {}, finish_reason: string | null = null) => ({
    data: JSON.stringify({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...usage,
    }),
    ...more,
  });
  yield chunk({ role: "assistant", content: "", refusal: null });
  let calls = 0;
  for (const [index, block] of answer.content.entries()) {
    for (const { delta, isDelta } of deltasOf(block, index, calls, reply)) yield chunk(delta, { isDelta });
    if (block.type === "toolCall") calls++;
  }
  yield chunk({}, { isEnd: true }, FINISH_REASON[stopReasonOf(answer)]);
  if (options.include_usage === true)
    yield { data: JSON.stringify({ ...head, choices: [], usage: usageOf(reply.usage) }) };
  yield { data: "[DONE]" };
}

function* deltasOf(
  block: ScriptedBlock,
  blockIndex: number,
  index: number,
  reply: WireReply,
): Generator<{ readonly delta: object; readonly isDelta: boolean }> {
  const pace = reply.answer.pace;
  if (block.type === "text") {
    for (const content of inDeltas(block.text, pace)) yield { delta: { content }, isDelta: true };
  } else if (block.type === "thinking") {
    for (const reasoning_content of inDeltas(block.thinking, pace))
      yield { delta: { reasoning_content }, isDelta: true };
  } else {
    const id = toolCallId(block, reply.callIndex, blockIndex);
    const call = { index, id, type: "function", function: { name: block.name, arguments: "" } };
    yield { delta: { tool_calls: [call] }, isDelta: false };
    for (const part of inDeltas(argumentText(block), pace))
      yield { delta: { tool_calls: [{ index, function: { arguments: part } }] }, isDelta: true };
  }
}

/** The answer in one piece, for `stream: false`. */
export function wholeCompletion(reply: WireReply): unknown {
  const { answer } = reply;
  const join = (type: "text" | "thinking") =>
    answer.content
      .map((block) =>
        block.type !== type
          ? ""
          : block.type === "thinking"
            ? block.thinking
            : block.type === "text"
              ? block.text
              : "",
      )
      .join("");
  const content = join("text");
  const reasoning = join("thinking");
  const tool_calls = answer.content.flatMap((block, index) =>
    block.type === "toolCall"
      ? [
          {
            id: toolCallId(block, reply.callIndex, index),
            type: "function",
            function: { name: block.name, arguments: argumentText(block) },
          },
        ]
      : [],
  );
  const message = {
    role: "assistant",
    content: content === "" ? null : content,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  const finish_reason = FINISH_REASON[stopReasonOf(answer)];
  return {
    ...headOf(reply, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usageOf(reply.usage),
  };
}

function headOf(reply: WireReply, object: string) {
  return {
    id: `chatcmpl-${String(reply.callIndex + 1).padStart(6, "0")}`,
    object,
    created: Math.floor(reply.now / MS_PER_SECOND),
    model: reply.body.model,
  };
}

/** The dialect of OpenAI: the prompt count contains the cached tokens, the completion count the reasoning. */
function usageOf(usage: WireUsage) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
  };
}
