/** A JSON Schema node as far as coercion reads it. */
type SchemaNode = Readonly<Record<string, unknown>>;

/** Whether a value fits a schema node; the validator is passed in so that this file loads none. */
export type Accepts = (schema: SchemaNode, value: unknown) => boolean;

const NUMERIC = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/**
 * The value a model most likely meant where its arguments do not fit: one pass, and only changes that lose nothing.
 *
 * Text that holds a number, boolean, array or object becomes it; a single value becomes a one-element array; numbers
 * and booleans become text; `null` and unknown fields are dropped where the schema has no place for them. What fits
 * already is returned as it is. Other misfits stay for the validator to report.
 */
export function coerceArguments(schema: SchemaNode, value: unknown, accepts: Accepts): unknown {
  if (accepts(schema, value)) return value;
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly SchemaNode[] | undefined;
  if (branches !== undefined) return coerceUnion(branches, value, accepts);
  switch (schema.type) {
    case "number":
    case "integer":
      return typeof value === "string" && NUMERIC.test(value) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    case "array":
      return coerceArray(schema, value, accepts);
    case "object":
      return coerceObject(schema, value, accepts);
    default:
      return value;
  }
}

function coerceUnion(branches: readonly SchemaNode[], value: unknown, accepts: Accepts): unknown {
  for (const branch of branches) {
    const candidate = coerceArguments(branch, value, accepts);
    if (accepts(branch, candidate)) return candidate;
  }
  return value;
}

function coerceArray(schema: SchemaNode, value: unknown, accepts: Accepts): unknown {
  const parsed = typeof value === "string" ? (parseIf(value, Array.isArray) ?? value) : value;
  if (parsed === undefined || parsed === null) return value;
  const items = Array.isArray(parsed) ? parsed : [parsed];
  const itemSchema = isNode(schema.items) ? schema.items : undefined;
  if (itemSchema === undefined) return items;
  return items.map((item) => coerceArguments(itemSchema, item, accepts));
}

function coerceObject(schema: SchemaNode, value: unknown, accepts: Accepts): unknown {
  const object = typeof value === "string" ? parseIf(value, isNode) : value;
  if (!isNode(object)) return value;
  const properties = isNode(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(object)) {
    const fieldSchema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!isNode(fieldSchema)) {
      if (schema.additionalProperties !== false) setOwn(result, key, field);
      continue;
    }
    if (field === null && !required.has(key) && !accepts(fieldSchema, null)) continue;
    setOwn(result, key, coerceArguments(fieldSchema, field, accepts));
  }
  return result;
}

/** Plain assignment would set the prototype for the key `__proto__`. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function parseIf(text: string, fits: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
