import type { ShapeIssue, ShapePath } from "../json-shape.ts";
import type { WireRejection } from "../wire-request.ts";

/** A broken rule with the parameter that the error body names. */
export interface Problem {
  readonly message: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** The refusal for a problem. */
export function rejectionOf({ message, param, code }: Problem): WireRejection {
  return { status: 400, message, ...(code === null ? {} : { code }), ...(param === null ? {} : { param }) };
}

const ARTICLE: Readonly<Record<string, string>> = { array: "an", object: "an", integer: "an" };
const nameOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "an array"
      : `a${typeof value === "object" ? "n" : ""} ${typeof value}`;

/** `messages[1].content[0].text`: how the APIs name a place. */
function paramOf(path: ShapePath): string {
  return path.reduce<string>(
    (place, part) =>
      typeof part === "number" ? `${place}[${part}]` : place === "" ? part : `${place}.${part}`,
    "",
  );
}

/** A shape issue in the words of the OpenAI APIs. */
export function describeIssue({ path, kind, expected, actual }: ShapeIssue): Problem {
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
