import type { TSchema } from "typebox";
import type { Validator } from "typebox/schema";
import { coerceArguments } from "./coerce-arguments.ts";
import type { ToolSpec } from "./tool-schema.ts";

/** Arguments that fit, or a text that tells the model what does not. */
export type ArgumentCheck =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

/** Enough to recognise one's own arguments in, small enough to repeat in a context. */
const QUOTED_ARGUMENT_CHARS = 400;
const MAX_REPORTED_PROBLEMS = 10;

/** Schemas are objects that live as long as their tool, so each is compiled once. */
const compiled = new WeakMap<object, Validator | Error>();

/**
 * Checks a call's arguments against the tool's schema; never throws.
 *
 * Fitting arguments come back unchanged (the same value). Others pass once through `coerceArguments` and are checked
 * again. The validator is loaded on the first call. A schema that cannot be compiled refuses every call of its tool.
 */
export async function validateToolArguments(tool: ToolSpec, args: unknown): Promise<ArgumentCheck> {
  const { Check } = await import("typebox/schema");
  const validator = await validatorOf(tool.parameters);
  if (validator instanceof Error) {
    return {
      ok: false,
      message: `The tool "${tool.name}" cannot be called: its parameter schema is unusable (${validator.message}).`,
    };
  }
  try {
    if (isRecord(args) && validator.Check(args)) return { ok: true, value: args };
    const value = coerceArguments(tool.parameters as Record<string, unknown>, args ?? {}, Check);
    if (isRecord(value) && validator.Check(value)) return { ok: true, value };
    return { ok: false, message: failureText(tool, validator, value) };
  } catch (error) {
    return {
      ok: false,
      message: `The arguments of "${tool.name}" could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function validatorOf(schema: TSchema): Promise<Validator | Error> {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const { Compile } = await import("typebox/schema");
  let made: Validator | Error;
  try {
    made = Compile(schema as Parameters<typeof Compile>[0]) as Validator;
  } catch (error) {
    made = error instanceof Error ? error : new Error(String(error));
  }
  compiled.set(schema, made);
  return made;
}

function failureText(tool: ToolSpec, validator: Validator, value: unknown): string {
  const [, errors] = validator.Errors(value);
  const problems = isRecord(value)
    ? errors.filter((error) => error.keyword !== "boolean").map((error) => problemLine(error))
    : ["- the arguments must be one JSON object"];
  const shown = [...new Set(problems)];
  const rest = shown.length - MAX_REPORTED_PROBLEMS;
  return [
    `The call of "${tool.name}" was not run: its arguments do not fit the tool's parameters.`,
    ...shown.slice(0, MAX_REPORTED_PROBLEMS),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    `Received: ${quote(value)}`,
    "Correct the arguments and call the tool again.",
  ].join("\n");
}

function problemLine(error: {
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}) {
  const place = error.instancePath.replace(/^\//, "").replaceAll("/", ".");
  const params = error.params as Record<string, unknown>;
  const names = params.additionalProperties;
  const detail = Array.isArray(names) ? `unknown: ${names.join(", ")}` : error.message;
  return `- ${place === "" ? "arguments" : place}: ${detail}`;
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  if (text.length <= QUOTED_ARGUMENT_CHARS) return text;
  return `${text.slice(0, QUOTED_ARGUMENT_CHARS).toWellFormed()}… (${text.length} characters)`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
