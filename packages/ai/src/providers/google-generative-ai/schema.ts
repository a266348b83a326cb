type Json = Readonly<Record<string, unknown>>;

/** Keywords whose value is one schema. */
const ONE = new Set([
  "items",
  "additionalProperties",
  "not",
  "contains",
  "propertyNames",
  "if",
  "then",
  "else",
]);
/** Keywords whose value is a list of schemas. */
const MANY = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
/** Keywords whose value names schemas. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Notes about the schema itself, which the API refuses and which restrict nothing. */
const META = new Set(["$schema", "$comment"]);

/**
 * A tool's JSON Schema in the words that the Gemini API knows, with the same meaning: `const` becomes an `enum` of one.
 *
 * Only places that hold schemas are touched; data in `default`, `enum` or `examples` and any property name stay.
 */
export function geminiSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (META.has(key)) return [];
    if (key === "const") return schema.enum === undefined && value !== null ? [["enum", [value]]] : [];
    if (ONE.has(key)) return [[key, Array.isArray(value) ? value.map(geminiSchema) : geminiSchema(value)]];
    if (MANY.has(key) && Array.isArray(value)) return [[key, value.map(geminiSchema)]];
    if (NAMED.has(key) && isObject(value)) return [[key, mapped(value)]];
    return [[key, value]];
  });
  // `const: null` has no enum form here: the type says the same.
  if (schema.const === null) entries.push(["type", "null"]);
  return Object.fromEntries(entries);
}

function mapped(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, geminiSchema(schema)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
