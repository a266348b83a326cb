import type { JsonObject } from "../json-shape.ts";
import type { WireLimits } from "../wire-format.ts";
import type { WireRejection } from "../wire-request.ts";
import { contentProblem } from "./content-rules.ts";
import { describeIssue, placeOf } from "./describe-issue.ts";
import { optionProblem } from "./option-rules.ts";
import { pairingProblem } from "./pairing.ts";
import { requestShape } from "./request-shape.ts";
import { type Thoughts, thoughtProblem } from "./thoughts.ts";

/** The first reason for which the Gemini API would refuse this body; undefined = accepted. */
export function validateContentRequest(
  body: JsonObject,
  limits: WireLimits,
  thoughts: Thoughts,
): WireRejection | undefined {
  const issue = requestShape(limits.extraFields)(body, []);
  if (issue !== undefined)
    return {
      status: 400,
      message: describeIssue(issue),
      ...(issue.kind === "unknown" ? { param: placeOf(issue.path.slice(0, -1)) } : {}),
    };
  const message =
    contentProblem(body) ??
    pairingProblem(body) ??
    thoughtProblem(body, thoughts) ??
    optionProblem(body, limits);
  return message === undefined ? undefined : { status: 400, message };
}
