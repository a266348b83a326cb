import type { TokenEstimator } from "./estimate-text.ts";

/** The first `maxChars` UTF-16 units of a text, never ending in half a surrogate pair. */
export function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}

/** The last `maxChars` UTF-16 units of a text, never starting with half a surrogate pair. */
export function tailOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars <= 0) return "";
  const start = text.length - maxChars;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

/** A text of about `maxChars`, its end replaced by a mark that says how much is missing. */
export function clipEnd(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = headOf(text, maxChars);
  return `${head}\n\n[… ${text.length - head.length} more characters cut]`;
}

/** A text of about `maxChars`, its middle replaced by a mark that says how much is missing, unless that is longer. */
export function clipMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = headOf(text, Math.ceil((maxChars * 2) / 3));
  const tail = tailOf(text, Math.floor(maxChars / 3));
  const cut = text.length - head.length - tail.length;
  const clipped = `${head}\n\n[… ${cut} characters cut …]\n\n${tail}`;
  return clipped.length < text.length ? clipped : text;
}

/** A text of at most about `maxTokens`, its middle replaced by a mark; texts of a few tokens may be the mark alone. */
export function clipToTokens(text: string, maxTokens: number, estimator: TokenEstimator): string {
  let chars = text.length;
  let clipped = text;
  while (chars > 0 && estimator.estimateText(clipped) > maxTokens) {
    chars = Math.floor(chars * 0.8);
    clipped = clipMiddle(text, chars);
  }
  return clipped;
}
