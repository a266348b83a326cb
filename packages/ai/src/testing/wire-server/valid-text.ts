import { isJsonObject } from "./json-shape.ts";

export type ParsedBody =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: string };

/**
 * A request body as strict servers read it: UTF-8, JSON, an object, no lone surrogate in any string or key.
 *
 * JSON.parse lets `"\ud83d"` through and the real APIs do not, so the strings are walked afterwards.
 */
export function parseBody(bytes: Uint8Array): ParsedBody {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, why: "the body is not valid UTF-8" };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return { ok: false, why: (error as Error).message };
  }
  if (!isJsonObject(body)) return { ok: false, why: "the body is not a JSON object" };
  const place = loneSurrogateAt(body);
  return place === undefined
    ? { ok: true, body }
    : { ok: false, why: `no low surrogate in string: ${place}` };
}

/** Where a string with a lone surrogate sits, as a dotted path; undefined = all strings are valid Unicode. */
function loneSurrogateAt(root: unknown): string | undefined {
  const pending: { value: unknown; path: string }[] = [{ value: root, path: "body" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && !value.isWellFormed()) return path;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (!key.isWellFormed()) return `${path} (key)`;
      pending.push({ value: child, path: `${path}.${key}` });
    }
  }
  return undefined;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** True for non-empty standard base64 with padding. */
export function isBase64(text: string): boolean {
  return text !== "" && BASE64.test(text);
}
