import type { TSchema } from "typebox";
import { schemaProblem } from "../config/schema-problem.ts";
import { type Settings, SettingsSchema } from "./schema.ts";

export interface CheckedSettings {
  readonly settings: Settings;
  /** Unknown keys and values that cannot be used, one each. */
  readonly diagnostics: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The usable part of what a file says. Keys that nobody knows and values that do not fit are named and left out; the rest
 * holds. `source` is named in the diagnostics.
 */
export async function checkSettings(value: unknown, source: string): Promise<CheckedSettings> {
  const diagnostics: string[] = [];
  if (!isFields(value)) {
    return { settings: {}, diagnostics: [`${source}: the settings are no object; none of them is used.`] };
  }
  const report = (message: string) => diagnostics.push(`${source}: ${message}`);
  const settings = await usable(value, SettingsSchema, [], report);
  return { settings: settings as Settings, diagnostics };
}

async function usable(
  value: Fields,
  schema: TSchema,
  path: readonly string[],
  report: (message: string) => void,
): Promise<Fields> {
  const properties = propertiesOf(schema);
  if (properties === undefined) return value;
  const kept: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const own = [...path, key];
    const name = own.join(".");
    const expected = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (expected === undefined) report(`the setting "${name}" is not known and is ignored.`);
    else if (isFields(field) && propertiesOf(expected) !== undefined) {
      kept.push([key, await usable(field, expected, own, report)]);
    } else {
      const problem = await schemaProblem(expected, field);
      if (problem === undefined) kept.push([key, field]);
      else report(`the setting "${name}" ${problem.message}, but is ${shown(field)}; it is ignored.`);
    }
  }
  return Object.fromEntries(kept);
}

function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> | undefined {
  return (schema as { readonly properties?: Readonly<Record<string, TSchema>> }).properties;
}

/** The value of a setting may be a secret that was put in the wrong place. */
function shown(value: unknown): string {
  if (typeof value === "string") return "a text";
  return Array.isArray(value) ? "a list" : isFields(value) ? "an object" : String(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
