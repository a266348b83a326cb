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

/** Body of `POST /v1/messages`, from the types of @anthropic-ai/sdk 1.14 (2026-11) and the API reference. */

const ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

const cacheControl = nullable(record({ type: oneOf("ephemeral") }, { ttl: oneOf("5m", "1h") }));
const cached = { cache_control: cacheControl };

const textBlock = record({ type: anything, text: text() }, { ...cached, citations: anything });

const imageSource = tagged("type", {
  base64: record({
    type: anything,
    media_type: oneOf("image/jpeg", "image/png", "image/gif", "image/webp"),
    data: text(),
  }),
  url: record({ type: anything, url: text() }),
});

const imageBlock = record({ type: anything, source: imageSource }, cached);

const documentBlock = record(
  { type: anything, source: jsonObject },
  { ...cached, citations: anything, context: nullable(text()), title: nullable(text()) },
);

const resultContent = listOf(tagged("type", { text: textBlock, image: imageBlock, document: documentBlock }));

const contentBlock = tagged("type", {
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  tool_use: record(
    { type: anything, id: text({ pattern: ID }), name: text({ pattern: TOOL_NAME }), input: jsonObject },
    cached,
  ),
  tool_result: record(
    { type: anything, tool_use_id: text({ pattern: ID }) },
    { ...cached, content: textOr(text(), resultContent), is_error: flag },
  ),
  thinking: record({ type: anything, thinking: text(), signature: text() }),
  redacted_thinking: record({ type: anything, data: text() }),
});

const message: Shape = record({
  role: oneOf("user", "assistant", "system"),
  content: textOr(text(), listOf(contentBlock)),
});

const tool = record(
  { name: text({ pattern: TOOL_NAME }), input_schema: jsonObject },
  {
    ...cached,
    type: nullable(oneOf("custom")),
    description: text(),
    strict: flag,
    eager_input_streaming: nullable(flag),
    defer_loading: flag,
    input_examples: listOf(jsonObject),
  },
);

const toolChoice = tagged("type", {
  auto: record({ type: anything }, { disable_parallel_tool_use: flag }),
  any: record({ type: anything }, { disable_parallel_tool_use: flag }),
  tool: record({ type: anything, name: text() }, { disable_parallel_tool_use: flag }),
  none: record({ type: anything }),
});

const display = { display: nullable(oneOf("summarized", "omitted")) };
const thinking = tagged("type", {
  enabled: record({ type: anything, budget_tokens: number({ integer: true, min: 1024 }) }, display),
  adaptive: record({ type: anything }, display),
  between_tools: record({ type: anything }),
  disabled: record({ type: anything }),
});

const fields: Record<string, Shape> = {
  system: textOr(text(), listOf(tagged("type", { text: textBlock }))),
  tools: listOf(tool),
  tool_choice: toolChoice,
  thinking,
  stream: flag,
  stop_sequences: listOf(text()),
  temperature: number({ min: 0, max: 1 }),
  top_p: number({ min: 0, max: 1 }),
  top_k: number({ integer: true, min: 0 }),
  metadata: record({}, { user_id: nullable(text({ maxLength: 256 })) }),
  output_config: record(
    {},
    {
      effort: nullable(oneOf("low", "medium", "high", "xhigh", "max")),
      format: nullable(jsonObject),
    },
  ),
  service_tier: oneOf("auto", "standard_only"),
  speed: nullable(oneOf("standard", "fast")),
  inference_geo: nullable(text()),
  container: anything,
  context_management: nullable(jsonObject),
  mcp_servers: listOf(jsonObject),
  cache_control: cacheControl,
};

/** The shape of a body; `extraFields` are top-level fields that a server accepts beyond the official ones. */
export function requestShape(extraFields: readonly string[]): Shape {
  const extra = Object.fromEntries(extraFields.map((field) => [field, anything]));
  return record(
    {
      model: text(),
      max_tokens: number({ integer: true, min: 1 }),
      messages: listOf(message, { minLength: 1 }),
    },
    { ...fields, ...extra },
  );
}
