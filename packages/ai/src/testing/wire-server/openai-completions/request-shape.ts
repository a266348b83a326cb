import {
  anything,
  flag,
  jsonObject,
  listOf,
  nullable,
  number,
  oneOf,
  record,
  type Shape,
  tagged,
  text,
  textOr,
} from "../json-shape.ts";

/** Body of `POST /v1/chat/completions`, from the types of openai 7.59 (2026-11) and the API reference. */

const FUNCTION_NAME = /^[a-zA-Z0-9_-]+$/;
const functionName = text({ pattern: FUNCTION_NAME, maxLength: 64 });

/** Longest tool-call id that the API takes back (its own are shorter). */
const callId = text({ maxLength: 40 });

const breakpoint = { prompt_cache_breakpoint: jsonObject };
const textPart = record({ type: anything, text: text() }, breakpoint);
const imagePart = record(
  {
    type: anything,
    image_url: record({ url: text() }, { detail: oneOf("auto", "low", "high", "original") }),
  },
  breakpoint,
);

const textParts = textOr(text(), listOf(tagged("type", { text: textPart }), { minLength: 1 }));
const userParts = textOr(
  text(),
  listOf(tagged("type", { text: textPart, image_url: imagePart }), { minLength: 1 }),
);
const assistantParts = textOr(
  text(),
  listOf(tagged("type", { text: textPart, refusal: record({ type: anything, refusal: text() }) }), {
    minLength: 1,
  }),
);

const toolCall = tagged("type", {
  function: record({
    id: callId,
    type: anything,
    function: record({ name: functionName, arguments: text() }),
  }),
});

/** Fields in which compatible servers stream reasoning, and take it back. Official OpenAI has none of them. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;
const reasoning = Object.fromEntries(REASONING_FIELDS.map((field) => [field, nullable(text())]));

const message = tagged("role", {
  system: record({ role: anything, content: textParts }, { name: text() }),
  developer: record({ role: anything, content: textParts }, { name: text() }),
  user: record({ role: anything, content: userParts }, { name: text() }),
  assistant: record(
    { role: anything },
    {
      ...reasoning,
      content: nullable(assistantParts),
      refusal: nullable(text()),
      name: text(),
      audio: nullable(jsonObject),
      tool_calls: listOf(toolCall, { minLength: 1 }),
    },
  ),
  tool: record({ role: anything, content: textParts, tool_call_id: callId }),
});

const tool = tagged("type", {
  function: record({
    type: anything,
    function: record(
      { name: functionName },
      { description: text(), parameters: jsonObject, strict: nullable(flag) },
    ),
  }),
});

const toolChoice = textOr(
  oneOf("none", "auto", "required"),
  tagged("type", {
    function: record({ type: anything, function: record({ name: text() }) }),
    allowed_tools: record({ type: anything, allowed_tools: jsonObject }),
  }),
);

const fields: Record<string, Shape> = {
  frequency_penalty: nullable(number({ min: -2, max: 2 })),
  logit_bias: nullable(jsonObject),
  logprobs: nullable(flag),
  max_completion_tokens: nullable(number({ integer: true, min: 1 })),
  max_tokens: nullable(number({ integer: true, min: 1 })),
  metadata: nullable(jsonObject),
  modalities: nullable(listOf(oneOf("text", "audio"))),
  n: nullable(number({ integer: true, min: 1, max: 128 })),
  parallel_tool_calls: flag,
  prediction: nullable(jsonObject),
  presence_penalty: nullable(number({ min: -2, max: 2 })),
  prompt_cache_key: nullable(text({ maxLength: 64 })),
  prompt_cache_options: jsonObject,
  prompt_cache_retention: nullable(oneOf("in_memory", "24h")),
  reasoning_effort: nullable(oneOf("none", "minimal", "low", "medium", "high", "xhigh", "max")),
  response_format: jsonObject,
  safety_identifier: nullable(text()),
  seed: nullable(number({ integer: true })),
  service_tier: nullable(oneOf("auto", "default", "flex", "scale", "priority", "fast")),
  stop: nullable(textOr(text(), listOf(text()))),
  store: nullable(flag),
  stream: nullable(flag),
  stream_options: nullable(record({}, { include_usage: flag, include_obfuscation: flag })),
  temperature: nullable(number({ min: 0, max: 2 })),
  tool_choice: toolChoice,
  tools: listOf(tool, { minLength: 1 }),
  top_logprobs: nullable(number({ integer: true, min: 0, max: 20 })),
  top_p: nullable(number({ min: 0, max: 1 })),
  user: text(),
  verbosity: nullable(oneOf("low", "medium", "high")),
};

/** The shape of a body; `extraFields` are top-level fields that a server accepts beyond the official ones. */
export function requestShape(extraFields: readonly string[]): Shape {
  const extra = Object.fromEntries(extraFields.map((field) => [field, anything]));
  return record({ model: text(), messages: listOf(message, { minLength: 1 }) }, { ...fields, ...extra });
}
