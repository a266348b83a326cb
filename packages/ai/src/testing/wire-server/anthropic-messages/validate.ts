import type { JsonObject, ShapeIssue } from "../json-shape.ts";
import type { WireLimits } from "../wire-format.ts";
import type { WireRejection } from "../wire-request.ts";
import { contentProblem } from "./content-rules.ts";
import { optionProblem } from "./option-rules.ts";
import { pairingProblem } from "./pairing.ts";
import { requestShape } from "./request-shape.ts";
import type { Signatures } from "./signatures.ts";

/** The first reason for which the Messages API would refuse this body; undefined = accepted. */
export function validateMessagesRequest(
  body: JsonObject,
  limits: WireLimits,
  signatures: Signatures,
): WireRejection | undefined {
  const issue = requestShape(limits.extraFields)(body, []);
  const message =
    issue !== undefined
      ? describe(issue)
      : (contentProblem(body, signatures) ?? pairingProblem(body) ?? optionProblem(body, limits));
  return message === undefined ? undefined : { status: 400, message, code: "invalid_request_error" };
}

function describe({ path, kind, expected, actual }: ShapeIssue): string {
  const place = path.join(".") || "body";
  switch (kind) {
    case "missing":
      return `${place}: Field required`;
    case "unknown":
      return `${place}: Extra inputs are not permitted`;
    case "type":
      return `${place}: Input should be a valid ${expected === "object" ? "dictionary" : expected}`;
    case "value":
      return `${place}: Input should be ${expected}`;
    case "pattern":
      return `${place}: String should match pattern '${expected}'`;
    case "too_long":
      return `${place}: String should have at most ${expected} characters`;
    case "too_small":
      return `${place}: Input should be greater than or equal to ${expected}`;
    case "empty":
      return path.join(".") === "messages"
        ? "messages: at least one message is required"
        : `${place}: List should have at least ${expected} item after validation, not ${Array.isArray(actual) ? actual.length : 0}`;
  }
}
