/** A place in a request body: keys and list indexes from the top. */
export type ShapePath = readonly (string | number)[];

/** The first thing that is wrong with a value. Each format words it in its own dialect. */
export interface ShapeIssue {
  readonly path: ShapePath;
  readonly kind: "missing" | "unknown" | "type" | "value" | "pattern" | "too_long" | "too_small" | "empty";
  /** What was expected: a type name, the allowed values, a pattern or a bound. */
  readonly expected: string;
  readonly actual?: unknown;
}

/** Checks a value; undefined = it fits. */
export type Shape = (value: unknown, path: ShapePath) => ShapeIssue | undefined;

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; anything else gives an empty list. */
export function jsonObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export const anything: Shape = () => undefined;

/** A string, optionally bounded in length and matched whole by a pattern. */
export function text(rule: { readonly pattern?: RegExp; readonly maxLength?: number } = {}): Shape {
  return (value, path) => {
    if (typeof value !== "string") return { path, kind: "type", expected: "string", actual: value };
    if (rule.maxLength !== undefined && value.length > rule.maxLength)
      return { path, kind: "too_long", expected: String(rule.maxLength), actual: value };
    if (rule.pattern !== undefined && !rule.pattern.test(value))
      return { path, kind: "pattern", expected: rule.pattern.source, actual: value };
    return undefined;
  };
}

/** A finite number within bounds, both included. */
export function number(
  rule: { readonly min?: number; readonly max?: number; readonly integer?: boolean } = {},
): Shape {
  const expected = rule.integer ? "integer" : "number";
  return (value, path) => {
    if (typeof value !== "number" || (rule.integer && !Number.isInteger(value)))
      return { path, kind: "type", expected, actual: value };
    if (rule.min !== undefined && value < rule.min)
      return { path, kind: "too_small", expected: String(rule.min), actual: value };
    if (rule.max !== undefined && value > rule.max)
      return { path, kind: "value", expected: `at most ${rule.max}`, actual: value };
    return undefined;
  };
}

export const flag: Shape = (value, path) =>
  typeof value === "boolean" ? undefined : { path, kind: "type", expected: "boolean", actual: value };

/** Any JSON object. */
export const jsonObject: Shape = (value, path) =>
  isJsonObject(value) ? undefined : { path, kind: "type", expected: "object", actual: value };

/** One of a few literal values. */
export function oneOf(...values: readonly string[]): Shape {
  return (value, path) =>
    typeof value === "string" && values.includes(value)
      ? undefined
      : { path, kind: "value", expected: values.map((each) => `'${each}'`).join(", "), actual: value };
}

/** The shape, or null. */
export function nullable(shape: Shape): Shape {
  return (value, path) => (value === null ? undefined : shape(value, path));
}

/** A list whose items all fit. */
export function listOf(item: Shape, rule: { readonly minLength?: number } = {}): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, kind: "type", expected: "array", actual: value };
    if (value.length < (rule.minLength ?? 0)) return { path, kind: "empty", expected: "1", actual: value };
    for (const [index, each] of value.entries()) {
      const issue = item(each, [...path, index]);
      if (issue !== undefined) return issue;
    }
    return undefined;
  };
}

/** An object with these fields and no others. An undefined value cannot come from JSON and counts as absent. */
export function record(required: Record<string, Shape>, optional: Record<string, Shape> = {}): Shape {
  return (value, path) => {
    if (!isJsonObject(value)) return { path, kind: "type", expected: "object", actual: value };
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(value, key)) return { path: [...path, key], kind: "missing", expected: key };
    }
    for (const [key, each] of Object.entries(value)) {
      const shape = Object.hasOwn(required, key)
        ? required[key]
        : Object.hasOwn(optional, key)
          ? optional[key]
          : undefined;
      if (shape === undefined) return { path: [...path, key], kind: "unknown", expected: key };
      const issue = shape(each, [...path, key]);
      if (issue !== undefined) return issue;
    }
    return undefined;
  };
}

/** An object whose `key` says which shape it has. */
export function tagged(key: string, shapes: Record<string, Shape>): Shape {
  return (value, path) => {
    if (!isJsonObject(value)) return { path, kind: "type", expected: "object", actual: value };
    const tag = value[key];
    if (tag === undefined) return { path: [...path, key], kind: "missing", expected: key };
    const shape = typeof tag === "string" && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
    if (shape !== undefined) return shape(value, path);
    const expected = Object.keys(shapes).map((each) => `'${each}'`);
    return { path: [...path, key], kind: "value", expected: expected.join(", "), actual: tag };
  };
}

/** A string that fits the first shape, or anything else that fits the second. */
export function textOr(ofText: Shape, other: Shape): Shape {
  return (value, path) => (typeof value === "string" ? ofText(value, path) : other(value, path));
}
