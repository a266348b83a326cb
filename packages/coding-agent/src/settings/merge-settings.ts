import type { Settings } from "./schema.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Lists of rules: those of all layers count, so that no layer takes a rule of another away. */
const RULE_LISTS = new Set(["permissions.allow", "permissions.ask", "permissions.deny"]);

/**
 * Settings laid over one another, later ones above: objects field by field, lists and all else as a whole. Permission
 * rules add up.
 */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  return layers.reduce<Fields>((below, above) => overlay(below, above, ""), {}) as Settings;
}

function overlay(below: Fields, above: Fields, path: string): Fields {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    merged.set(key, combined(merged.get(key), value, `${path}${key}`));
  }
  return Object.fromEntries(merged);
}

function combined(under: unknown, value: unknown, path: string): unknown {
  if (RULE_LISTS.has(path) && Array.isArray(under) && Array.isArray(value)) {
    return [...new Set([...under, ...value])];
  }
  return isFields(value) && isFields(under) ? overlay(under, value, `${path}.`) : value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
