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
  return problem;
}
