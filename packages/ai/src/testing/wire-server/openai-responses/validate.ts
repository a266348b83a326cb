import { type JsonObject, jsonObjects } from "../json-shape.ts";
import { describeIssue, type Problem, rejectionOf } from "../openai/describe-issue.ts";
import type { WireLimits } from "../wire-format.ts";
import type { WireRejection } from "../wire-request.ts";
import type { IssuedItems } from "./issued-items.ts";
import { itemProblem } from "./item-rules.ts";
import { requestShape } from "./request-shape.ts";

/** The first reason for which the Responses API would refuse this body; undefined = accepted. */
export function validateResponsesRequest(
  body: JsonObject,
  limits: WireLimits,
  issued: IssuedItems,
): WireRejection | undefined {
  const issue = requestShape(limits.extraFields)(body, []);
  const problem =
    issue !== undefined ? describeIssue(issue) : (itemProblem(body, issued) ?? optionProblem(body, limits));
  return problem === undefined ? undefined : rejectionOf(problem);
}

function optionProblem(body: JsonObject, limits: WireLimits): Problem | undefined {
  const asked = Number(body.max_output_tokens ?? 0);
  if (asked > limits.maxOutputTokens)
    return {
      message: `max_output_tokens is too large: ${asked}. This model supports at most ${limits.maxOutputTokens} output tokens, whereas you provided ${asked}.`,
      param: "max_output_tokens",
      code: "invalid_value",
    };
  if (typeof body.previous_response_id === "string")
    return {
      message: `Previous response with id '${body.previous_response_id}' not found.`,
      param: "previous_response_id",
      code: "previous_response_not_found",
    };
  const names = jsonObjects(body.tools).map((tool) => tool.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    return { message: `Tool names must be unique: '${repeated}'.`, param: "tools", code: null };
  if (body.tool_choice === "required" && names.length === 0)
    return {
      message: "Tool choice 'required' must be specified with 'tools' parameter.",
      param: "tool_choice",
      code: null,
    };
  return undefined;
}
