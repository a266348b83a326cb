import type { AnswerHeaders } from "../post.ts";

const SECOND_MS = 1000;

/**
 * The wait a server asks for, in milliseconds: `retry-after-ms`, then `retry-after` as seconds or as an HTTP date.
 *
 * Undefined when there is none or it cannot be read, so that a garbled hint never means "at once". A date that has
 * passed is 0.
 */
export function retryAfterMs(headers: AnswerHeaders, now: number): number | undefined {
  const milliseconds = readNumber(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers.get("retry-after");
  const seconds = readNumber(value);
  if (seconds !== undefined) return seconds * SECOND_MS;
  const date = value === null || value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(value: string | null | undefined): number | undefined {
  if (value === null || value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
