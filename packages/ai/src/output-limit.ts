import type { Model } from "./model.ts";

/** Estimates differ from a server's own count by several percent; this much of the window stays free. */
const MARGIN_RATIO = 0.05;
const MARGIN_TOKENS = 1024;
const CHARS_PER_TOKEN = 4;
/** Below this a limit is of no use: the server's own overflow error says more than a cut answer. */
const MIN_OUTPUT_TOKENS = 1024;

export interface OutputLimitOptions {
  readonly model: Pick<Model, "contextWindow" | "maxTokens">;
  /** What the caller asks for; absent = the model's own limit. */
  readonly requestedTokens?: number | undefined;
  /** Characters of the prompt as it is sent, images not counted. */
  readonly promptChars: number;
}

/**
 * The largest answer to ask for, in tokens: never more than the model can give, and small enough that prompt and answer
 * fit one window. A window of 0 or less is unknown and limits nothing.
 */
export function outputLimit({ model, requestedTokens, promptChars }: OutputLimitOptions): number {
  const wanted = Math.max(
    1,
    Math.min(requestedTokens ?? model.maxTokens, model.maxTokens || Number.MAX_SAFE_INTEGER),
  );
  if (model.contextWindow <= 0) return wanted;
  const margin = Math.max(MARGIN_TOKENS, model.contextWindow * MARGIN_RATIO);
  const room = Math.floor(model.contextWindow - promptChars / CHARS_PER_TOKEN - margin);
  return Math.min(wanted, Math.max(room, Math.min(MIN_OUTPUT_TOKENS, wanted)));
}

/** Scripts whose characters take most of a token each: kana, Han, hangul and their full-width forms. */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;
/** About 1.5 of them make a token, where about 4 ASCII characters do. */
const EXTRA_CHARS_OF_DENSE = CHARS_PER_TOKEN / 1.5 - 1;

/**
 * Characters of a JSON body that count as prompt, dense scripts weighted: long base64 strings are images and left out.
 */
export function promptCharsOf(body: unknown): number {
  if (typeof body === "string") return body.length + (body.match(DENSE)?.length ?? 0) * EXTRA_CHARS_OF_DENSE;
  if (typeof body !== "object" || body === null) return 0;
  let chars = 0;
  for (const [key, value] of Object.entries(body)) {
    const isImage = typeof value === "string" && (key === "data" || value.startsWith("data:"));
    if (!isImage) chars += promptCharsOf(value) + key.length;
  }
  return chars;
}
