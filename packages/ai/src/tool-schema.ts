import type { TSchema } from "typebox";

/** What a model is told about a tool. `parameters` is JSON Schema (TypeBox schemas are JSON Schema). */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: TSchema;
}
