import { type JsonObject, jsonObjects } from "../json-shape.ts";
import { describeIssue, type Problem, rejectionOf } from "../openai/describe-issue.ts";
import type { WireLimits } from "../wire-format.ts";
import type { WireRejection } from "../wire-request.ts";
import { messageProblem } from "./message-rules.ts";
import { requestShape } from "./request-shape.ts";

/** The first reason for which the Chat Completions API would refuse this body; undefined = accepted. */
export function validateCompletionsRequest(
  body: JsonObject,
  limits: WireLimits,
  isIssued: (reasoning: string) => boolean,
): WireRejection | undefined {
  const issue = requestShape(limits.extraFields)(body, []);
  const problem =
    issue !== undefined
      ? describeIssue(issue)
      : (messageProblem(body, isIssued) ?? optionProblem(body, limits));
  return problem === undefined ? undefined : rejectionOf(problem);
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
