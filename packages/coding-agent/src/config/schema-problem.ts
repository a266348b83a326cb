import type { TSchema } from "typebox";

/** Where a value does not fit a schema, and how. */
export interface SchemaProblem {
  /** A JSON pointer; empty for the value itself. */
  readonly instancePath: string;
  readonly message: string;
}

/**
 * The first thing in a value that does not fit a schema; undefined where all does.
 *
 * The validator is loaded for the first value: a run without any configuration does not pay for it.
 */
export async function schemaProblem(schema: TSchema, value: unknown): Promise<SchemaProblem | undefined> {
  const { Errors } = await import("typebox/value");
  const [problem] = Errors(schema, value);
  if (problem === undefined) return undefined;
  const allowed = allowedValues(schema, problem.instancePath);
  return allowed === undefined
    ? problem
    : { instancePath: problem.instancePath, message: `must be one of ${allowed.join(", ")}` };
}

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly anyOf?: readonly Described[];
  readonly const?: unknown;
}

/** The values at a place that takes some only; the validator would say no more than that the first one is another. */
function allowedValues(schema: TSchema, instancePath: string): readonly string[] | undefined {
  let place: Described | undefined = schema as Described;
  for (const name of instancePath.split("/").slice(1)) {
    place = Object.hasOwn(place?.properties ?? {}, name) ? place?.properties?.[name] : undefined;
  }
  const choices = place?.anyOf ?? [];
  const isList = choices.length > 0 && choices.every((choice) => "const" in choice);
  return isList ? choices.map((choice) => JSON.stringify(choice.const)) : undefined;
}
