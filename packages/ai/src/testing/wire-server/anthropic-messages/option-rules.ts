import { isJsonObject, type JsonObject, jsonObjects } from "../json-shape.ts";
import type { WireLimits } from "../wire-format.ts";
import { blocksOf } from "./blocks.ts";

const MAX_CACHE_MARKERS = 4;

/** The first option that the API would refuse: sizes, tools, thinking, cache markers. */
export function optionProblem(body: JsonObject, limits: WireLimits): string | undefined {
  return (
    sizeProblem(body, limits) ??
    toolProblem(body) ??
    thinkingOptionProblem(body) ??
    (limits.thinkingStartsToolTurns ? thinkingStartProblem(body) : undefined) ??
    cacheMarkerProblem(body)
  );
}

function sizeProblem(body: JsonObject, limits: WireLimits): string | undefined {
  const asked = Number(body.max_tokens);
  return asked > limits.maxOutputTokens
    ? `max_tokens: ${asked} > ${limits.maxOutputTokens}, which is the maximum allowed number of output tokens for ${body.model}`
    : undefined;
}

function toolProblem(body: JsonObject): string | undefined {
  const tools = jsonObjects(body.tools);
  if (body.tool_choice !== undefined && tools.length === 0)
    return "tool_choice: may only be specified while providing tools";
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    const schema = isJsonObject(tool.input_schema) ? tool.input_schema : {};
    if (schema.type === undefined) return `tools.${index}.custom.input_schema.type: Field required`;
    if (schema.type !== "object") return `tools.${index}.custom.input_schema.type: Input should be 'object'`;
    if (["oneOf", "allOf", "anyOf"].some((key) => key in schema))
      return `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    if (names.has(tool.name)) return "tools: Tool names must be unique.";
    names.add(tool.name);
  }
  return undefined;
}

function thinkingOptionProblem(body: JsonObject): string | undefined {
  const thinking = isJsonObject(body.thinking) ? body.thinking : {};
  if (thinking.type !== "enabled") return undefined;
  if (Number(thinking.budget_tokens) >= Number(body.max_tokens))
    return "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size";
  if (body.temperature !== undefined && body.temperature !== 1)
    return "`temperature` may only be set to 1 when thinking is enabled.";
  const [choice] = jsonObjects([body.tool_choice]);
  if (choice?.type === "any" || choice?.type === "tool")
    return "Thinking may not be enabled when tool_choice forces tool use.";
  return undefined;
}

function thinkingStartProblem(body: JsonObject): string | undefined {
  const thinking = isJsonObject(body.thinking) ? body.thinking : {};
  const messages = jsonObjects(body.messages);
  const [answered] = blocksOf(messages.at(-1)?.content);
  const [first] = blocksOf(messages.at(-2)?.content);
  const isThinking = first?.type === "thinking" || first?.type === "redacted_thinking";
  if (thinking.type !== "enabled" || answered?.type !== "tool_result" || isThinking) return undefined;
  return `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
}

function cacheMarkerProblem(body: JsonObject): string | undefined {
  const marked = [
    ...jsonObjects(body.tools),
    ...blocksOf(body.system),
    ...jsonObjects(body.messages).flatMap((message) => blocksOf(message.content)),
  ].filter((each) => isJsonObject(each.cache_control));
  if (marked.length > MAX_CACHE_MARKERS)
    return `A maximum of ${MAX_CACHE_MARKERS} blocks with cache_control may be provided. Found ${marked.length}.`;
  const ttls = marked.map((each) => (isJsonObject(each.cache_control) ? each.cache_control.ttl : undefined));
  const short = ttls.findIndex((ttl) => ttl !== "1h");
  if (short !== -1 && ttls.slice(short).includes("1h"))
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.";
  return undefined;
}
