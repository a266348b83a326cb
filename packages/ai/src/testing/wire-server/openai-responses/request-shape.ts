import {
  anything,
  flag,
  isJsonObject,
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

/** Body of `POST /v1/responses`, from the types of openai 7.59 (2026-11) and the API reference. */

const itemId = text({ maxLength: 64 });
const callId = text({ maxLength: 64, pattern: /^.+$/s });
const functionName = text({ pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 128 });
const status = nullable(oneOf("in_progress", "completed", "incomplete"));

const inputText = record({ type: anything, text: text() }, { prompt_cache_breakpoint: jsonObject });
const inputImage = record(
  { type: anything },
  {
    image_url: nullable(text()),
    file_id: nullable(text()),
    detail: oneOf("auto", "low", "high", "original"),
    prompt_cache_breakpoint: jsonObject,
  },
);
const inputParts = listOf(tagged("type", { input_text: inputText, input_image: inputImage }), {
  minLength: 1,
});
const outputParts = listOf(
  tagged("type", {
    output_text: record({ type: anything, text: text() }, { annotations: anything, logprobs: anything }),
    refusal: record({ type: anything, refusal: text() }),
  }),
  { minLength: 1 },
);

const phase = { phase: nullable(oneOf("commentary", "final_answer")) };
const role = (content: Shape) =>
  record(
    { role: anything, content: textOr(text(), content) },
    { type: anything, id: itemId, status, ...phase },
  );
const message = tagged("role", {
  user: role(inputParts),
  system: role(inputParts),
  developer: role(inputParts),
  assistant: role(outputParts),
});

const typedItem = tagged("type", {
  message,
  function_call: record(
    { type: anything, call_id: callId, name: functionName, arguments: text() },
    { id: itemId, status },
  ),
  function_call_output: record(
    { type: anything, call_id: callId, output: textOr(text(), inputParts) },
    { id: nullable(itemId), status },
  ),
  reasoning: record(
    { type: anything, id: itemId, summary: listOf(record({ type: oneOf("summary_text"), text: text() })) },
    { encrypted_content: nullable(text()), content: anything, status },
  ),
});

/** A message may leave its `type` out. */
const item: Shape = (value, path) =>
  (isJsonObject(value) && value.type === undefined && value.role !== undefined ? message : typedItem)(
    value,
    path,
  );

const tool = tagged("type", {
  function: record(
    { type: anything, name: functionName, parameters: nullable(jsonObject) },
    { description: nullable(text()), strict: nullable(flag), defer_loading: flag },
  ),
});

const fields: Record<string, Shape> = {
  background: nullable(flag),
  include: nullable(listOf(text())),
  instructions: nullable(text()),
  max_output_tokens: nullable(number({ integer: true, min: 16 })),
  max_tool_calls: nullable(number({ integer: true, min: 1 })),
  metadata: nullable(jsonObject),
  parallel_tool_calls: nullable(flag),
  previous_response_id: nullable(text()),
  prompt_cache_key: nullable(text({ maxLength: 64 })),
  prompt_cache_options: jsonObject,
  prompt_cache_retention: nullable(oneOf("in_memory", "24h")),
  reasoning: nullable(
    record(
      {},
      {
        effort: nullable(oneOf("none", "minimal", "low", "medium", "high", "xhigh", "max")),
        summary: nullable(oneOf("auto", "concise", "detailed")),
        context: nullable(oneOf("auto", "current_turn", "all_turns")),
        mode: text(),
      },
    ),
  ),
  safety_identifier: nullable(text()),
  service_tier: nullable(oneOf("auto", "default", "flex", "scale", "priority", "fast")),
  store: nullable(flag),
  stream: nullable(flag),
  stream_options: nullable(record({}, { include_obfuscation: flag })),
  temperature: nullable(number({ min: 0, max: 2 })),
  text: jsonObject,
  tool_choice: textOr(oneOf("none", "auto", "required"), jsonObject),
  tools: listOf(tool),
  top_logprobs: nullable(number({ integer: true, min: 0, max: 20 })),
  top_p: nullable(number({ min: 0, max: 1 })),
  truncation: nullable(oneOf("auto", "disabled")),
  user: text(),
};

/** The shape of a body; `extraFields` are top-level fields that a server accepts beyond the official ones. */
export function requestShape(extraFields: readonly string[]): Shape {
  const extra = Object.fromEntries(extraFields.map((field) => [field, anything]));
  return record(
    { model: text(), input: textOr(text(), listOf(item, { minLength: 1 })) },
    { ...fields, ...extra },
  );
}
