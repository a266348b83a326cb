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

/** Characters of a JSON body that count as prompt: long base64 strings are images and left out. */
export function promptCharsOf(body: unknown): number {
  if (typeof body === "string") return body.length;
  if (typeof body !== "object" || body === null) return 0;
  let chars = 0;
  for (const [key, value] of Object.entries(body)) {
    if (key === "data" || (key === "url" && typeof value === "string" && value.startsWith("data:"))) continue;
    chars += promptCharsOf(value) + key.length;
  }
  return chars;
}
