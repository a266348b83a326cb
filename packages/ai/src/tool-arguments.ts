import { repairJson } from "./repair-json.ts";

/** The arguments of a call; with `argumentsError` they are `{}` and the call must not run. */
export interface ParsedArguments {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly argumentsError?: string;
}

const QUOTED_CHARS = 200;

/**
 * The arguments a finished call carries in its text.
 *
 * No text and `null` mean no arguments. Slips that have one reading are repaired (`repairJson`); with `isCut`, when the
 * answer was cut off, nothing is, since a repair could complete what the model had not finished. Anything else is an
 * error that quotes the text for the model.
 */
export function parseToolArguments(text: string, options: { readonly isCut: boolean }): ParsedArguments {
  if (text.trim() === "") return { arguments: {} };
  const strict = parseObject(text);
  if (strict !== undefined) return { arguments: strict };
  const repaired = options.isCut ? undefined : repairJson(text);
  const value = repaired === undefined ? undefined : parseObject(repaired);
  if (value !== undefined) return { arguments: value };
  return { arguments: {}, argumentsError: `The arguments are not a JSON object: ${quote(text)}` };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  // Some servers encode the object twice.
  const inner = typeof value === "string" ? parseJson(value) : value;
  if (inner === null) return {};
  return typeof inner === "object" && !Array.isArray(inner) ? (inner as Record<string, unknown>) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function quote(text: string): string {
  const clean = text.toWellFormed();
  if (clean.length <= QUOTED_CHARS) return clean;
  const half = QUOTED_CHARS / 2;
  return `${clean.slice(0, half).toWellFormed()} … ${clean.slice(-half).toWellFormed()} (${text.length} characters)`;
}
