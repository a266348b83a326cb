import { type FoundSecret, findSecrets } from "./find-secrets.ts";
import { SecretPieces } from "./secret-pieces.ts";
import { isSecretField } from "./secret-shapes.ts";

/** A secret that was replaced. */
export interface RedactedSecret {
  readonly kind: string;
  readonly placeholder: string;
  readonly value: string;
}

/**
 * Replaces secrets by placeholders, the same secret by the same one. What a cut left of a secret that it met before, a mask
 * or a quote, is one of its own.
 */
export interface Redactor {
  /** Idempotent. */
  redactText(text: string): string;
  /** A copy of a JSON value with every text in it redacted; images and providers' signatures stay as they are. */
  redactValue<Value>(value: Value): Value;
  /** What was replaced so far, each secret once, in order of appearance. Holds the secrets themselves. */
  readonly secrets: readonly RedactedSecret[];
}

export interface RedactorOptions {
  /** Stands in every placeholder; one that nobody can guess makes placeholders that no text holds by chance. */
  readonly tag?: string;
}

/** Fields that providers fill with what only they can read; a changed one is refused. */
const OPAQUE_FIELDS: ReadonlySet<string> = new Set([
  "textSignature",
  "thinkingSignature",
  "thoughtSignature",
]);

/** Makes a redactor, which numbers the secrets that it meets: `[redacted:github-token:1]`. */
export function createRedactor({ tag }: RedactorOptions = {}): Redactor {
  const byValue = new Map<string, RedactedSecret>();
  const pieces = new SecretPieces();

  function placeholderOf(kind: string, value: string): string {
    const known = byValue.get(value);
    if (known !== undefined) return known.placeholder;
    const number = byValue.size + 1;
    const placeholder = `[redacted:${kind}:${tag === undefined ? "" : `${tag}-`}${number}]`;
    byValue.set(value, { kind, placeholder, value });
    pieces.add(kind, value);
    return placeholder;
  }

  function redactText(text: string): string {
    const whole = replaced(text, findSecrets(text));
    return replaced(whole, pieces.find(whole));
  }

  function replaced(text: string, found: readonly FoundSecret[]): string {
    let result = "";
    let at = 0;
    for (const { kind, start, end } of found) {
      result += text.slice(at, start) + placeholderOf(kind, text.slice(start, end));
      at = end;
    }
    return at === 0 ? text : result + text.slice(at);
  }

  function redactUnknown(value: unknown, name: string | undefined): unknown {
    if (name !== undefined && OPAQUE_FIELDS.has(name)) return value;
    if (typeof value === "string") {
      if (name !== undefined && isSecretField(name, value)) return placeholderOf("secret-field", value);
      return redactText(value);
    }
    if (Array.isArray(value)) return value.map((item) => redactUnknown(item, name));
    if (typeof value !== "object" || value === null || isImage(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [redactText(key), redactUnknown(item, key)]),
    );
  }

  return {
    redactText,
    redactValue: <Value>(value: Value) => redactUnknown(value, undefined) as Value,
    get secrets() {
      return [...byValue.values()];
    },
  };
}

/** One text without its secrets. */
export function redactSecrets(text: string): string {
  return createRedactor().redactText(text);
}

function isImage(value: object): boolean {
  return "type" in value && value.type === "image" && "data" in value;
}
