import type { Settings } from "./schema.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Settings laid over one another, later ones above: objects field by field, lists and all else as a whole. */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  return layers.reduce<Fields>(overlay, {}) as Settings;
}

function overlay(below: Fields, above: Fields): Fields {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    const under = merged.get(key);
    merged.set(key, isFields(value) && isFields(under) ? overlay(under, value) : value);
  }
  return Object.fromEntries(merged);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
