import type { ImageContent } from "@coppice/ai";
import type { RpcAnswer } from "./questions.ts";

/** One parameter of a command: what it must be, for the check and for the compiler. */
export interface Field<Value> {
  /** Completes “must be …”. */
  readonly expects: string;
  is(value: unknown): value is Value;
}

/** A parameter that may be left out. */
export interface OptionalField<Value> extends Field<Value> {
  readonly isOptional: true;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<One> = One extends Field<infer Value> ? Value : never;

type OptionalNames<All extends Fields> = {
  [Name in keyof All]: All[Name] extends OptionalField<unknown> ? Name : never;
}[keyof All];

/** The parameters that fields describe. */
export type ParamsOf<All extends Fields> = {
  readonly [Name in Exclude<keyof All, OptionalNames<All>>]: ValueOf<All[Name]>;
} & { readonly [Name in OptionalNames<All>]?: ValueOf<All[Name]> };

export const text: Field<string> = { expects: "a text", is: (value) => typeof value === "string" };

export const flag: Field<boolean> = { expects: "true or false", is: (value) => typeof value === "boolean" };

export const wholeNumber: Field<number> = {
  expects: "a whole number",
  is: (value): value is number => Number.isSafeInteger(value),
};

export const texts: Field<readonly string[]> = {
  expects: "a list of texts",
  is: (value): value is readonly string[] =>
    Array.isArray(value) && value.every((item) => typeof item === "string"),
};

export const textOrNull: Field<string | null> = {
  expects: "a text or null",
  is: (value): value is string | null => value === null || typeof value === "string",
};

export const images: Field<readonly ImageContent[]> = {
  expects: 'a list of images, {"type":"image","data":BASE64,"mimeType":"image/…"}',
  is: (value): value is readonly ImageContent[] => Array.isArray(value) && value.every(isImage),
};

export const anything: Field<unknown> = { expects: "a value", is: (value) => value !== undefined };

export const answer: Field<RpcAnswer> = {
  expects:
    'true, false, a text, null, or {"decision":"allow"|"deny","remember"?:"session"|"always","reason"?}',
  is: (value): value is RpcAnswer =>
    value === null || typeof value === "boolean" || typeof value === "string" || isPermissionAnswer(value),
};

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Field<Word> {
  return {
    expects: `one of ${words.join(", ")}`,
    is: (value): value is Word => words.some((word) => word === value),
  };
}

export function optional<Value>(field: Field<Value>): OptionalField<Value> {
  return { ...field, isOptional: true };
}

function isPermissionAnswer(value: unknown): value is RpcAnswer {
  if (typeof value !== "object" || value === null) return false;
  const { decision, remember, reason } = value as Readonly<Record<string, unknown>>;
  return (
    (decision === "allow" || decision === "deny") &&
    (remember === undefined || remember === "session" || remember === "always") &&
    (reason === undefined || typeof reason === "string")
  );
}

function isImage(value: unknown): value is ImageContent {
  if (typeof value !== "object" || value === null) return false;
  const { type, data, mimeType } = value as Readonly<Record<string, unknown>>;
  return type === "image" && typeof data === "string" && /^image\//.test(String(mimeType));
}

/** What is wrong with parameters; undefined when nothing is. A name that no field has is wrong: it would do nothing. */
export function complaintAbout(
  params: Readonly<Record<string, unknown>>,
  fields: Fields,
): string | undefined {
  const unknown = Object.keys(params).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) return `there is no parameter "${unknown}"`;
  for (const [name, field] of Object.entries(fields)) {
    const value = params[name];
    if (value === undefined && "isOptional" in field) continue;
    if (!field.is(value)) return `"${name}" must be ${field.expects}`;
  }
  return undefined;
}
