import { type JsonObject, jsonObjects, type ShapeIssue, type ShapePath } from "../json-shape.ts";
import type { WireLimits } from "../wire-format.ts";
import type { WireRejection } from "../wire-request.ts";
import { messageProblem, type Problem } from "./message-rules.ts";
import { requestShape } from "./request-shape.ts";

/** The first reason for which the Chat Completions API would refuse this body; undefined = accepted. */
export function validateCompletionsRequest(
  body: JsonObject,
  limits: WireLimits,
  isIssued: (reasoning: string) => boolean,
): WireRejection | undefined {
  const issue = requestShape(limits.extraFields)(body, []);
  const problem =
    issue !== undefined ? describe(issue) : (messageProblem(body, isIssued) ?? optionProblem(body, limits));
  if (problem === undefined) return undefined;
  const { message, param, code } = problem;
  return { status: 400, message, ...(code === null ? {} : { code }), ...(param === null ? {} : { param }) };
}

function optionProblem(body: JsonObject, limits: WireLimits): Problem | undefined {
  const hasTools = body.tools !== undefined;
  const onlyWithTools = (param: string): Problem => ({
    message: `Invalid value for '${param}': '${param}' is only allowed when 'tools' are specified.`,
    param,
    code: null,
  });
  if (body.tool_choice !== undefined && !hasTools) return onlyWithTools("tool_choice");
  if (body.parallel_tool_calls !== undefined && !hasTools) return onlyWithTools("parallel_tool_calls");
  if (body.stream_options != null && body.stream !== true)
    return {
      message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      param: "stream_options",
      code: null,
    };
  return limitProblem(body, limits) ?? toolNamesProblem(body);
}

function limitProblem(body: JsonObject, limits: WireLimits): Problem | undefined {
  if (body.max_tokens != null && body.max_completion_tokens != null)
    return {
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      param: "max_tokens",
      code: "invalid_parameter_combination",
    };
  for (const param of ["max_tokens", "max_completion_tokens"]) {
    const asked = body[param];
    if (typeof asked !== "number" || asked <= limits.maxOutputTokens) continue;
    return {
      message: `${param} is too large: ${asked}. This model supports at most ${limits.maxOutputTokens} completion tokens, whereas you provided ${asked}.`,
      param,
      code: "invalid_value",
    };
  }
  return undefined;
}

function toolNamesProblem(body: JsonObject): Problem | undefined {
  const names = jsonObjects(body.tools).map((tool) => jsonObjects([tool.function])[0]?.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated === undefined
    ? undefined
    : { message: `Tool names must be unique: '${repeated}'.`, param: "tools", code: null };
}

const ARTICLE: Readonly<Record<string, string>> = { array: "an", object: "an", integer: "an" };
const nameOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "an array"
      : `a${typeof value === "object" ? "n" : ""} ${typeof value}`;

/** `messages[1].content[0].text`: how the API names a place. */
function paramOf(path: ShapePath): string {
  return path.reduce<string>(
    (place, part) =>
      typeof part === "number" ? `${place}[${part}]` : place === "" ? part : `${place}.${part}`,
    "",
  );
}

function describe({ path, kind, expected, actual }: ShapeIssue): Problem {
  const param = paramOf(path);
  const problem = (message: string, code: string): Problem => ({ message, param, code });
  const length = String(actual).length;
  switch (kind) {
    case "missing":
      return problem(`Missing required parameter: '${param}'.`, "missing_required_parameter");
    case "unknown":
      return problem(`Unknown parameter: '${param}'.`, "unknown_parameter");
    case "type":
      return problem(
        `Invalid type for '${param}': expected ${ARTICLE[expected] ?? "a"} ${expected}, but got ${nameOf(actual)} instead.`,
        "invalid_type",
      );
    case "value":
      return problem(
        `Invalid value: '${String(actual)}'. Supported values are: ${expected}.`,
        "invalid_value",
      );
    case "pattern":
      return problem(
        `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${expected}'.`,
        "invalid_value",
      );
    case "too_long":
      return problem(
        `Invalid '${param}': string too long. Expected a string with maximum length ${expected}, but got a string with length ${length} instead.`,
        "string_above_max_length",
      );
    case "too_small":
      return problem(
        `Invalid '${param}': integer below minimum value. Expected a value >= ${expected}, but got ${String(actual)} instead.`,
        "integer_below_min_value",
      );
    case "empty":
      return problem(
        `Invalid '${param}': empty array. Expected an array with minimum length ${expected}, but got an empty array instead.`,
        "empty_array",
      );
  }
}
