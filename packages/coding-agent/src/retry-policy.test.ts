import { expect, test } from "vitest";
import { DEFAULT_RETRY_SETTINGS, retryDelayMs } from "./retry-policy.ts";

const transient = { code: "overloaded", retryable: true };

test.each([
  { name: "starts at the base", error: transient, attempt: 1, delayMs: 2000 },
  { name: "doubles", error: transient, attempt: 3, delayMs: 8000 },
  { name: "ends after the last attempt", error: transient, attempt: 4, delayMs: undefined },
  {
    name: "waits as long as the server asks",
    error: { ...transient, retryAfterMs: 30_000 },
    attempt: 1,
    delayMs: 30_000,
  },
  {
    name: "never waits less than its own time",
    error: { ...transient, retryAfterMs: 10 },
    attempt: 2,
    delayMs: 4000,
  },
  {
    name: "gives up when the server asks for more than the cap",
    error: { ...transient, retryAfterMs: 60_001 },
    attempt: 1,
    delayMs: undefined,
  },
  {
    name: "leaves final errors alone",
    error: { code: "auth", retryable: false },
    attempt: 1,
    delayMs: undefined,
  },
  { name: "leaves unclassified failures alone", error: undefined, attempt: 1, delayMs: undefined },
])("retryDelayMs $name", ({ error, attempt, delayMs }) => {
  expect(retryDelayMs(error, attempt, DEFAULT_RETRY_SETTINGS)).toBe(delayMs);
});

test("retryDelayMs never exceeds the cap and can be turned off", () => {
  const settings = { ...DEFAULT_RETRY_SETTINGS, maxAttempts: 10 };
  expect(retryDelayMs(transient, 10, settings)).toBe(60_000);
  expect(retryDelayMs(transient, 1, { ...settings, enabled: false })).toBeUndefined();
});
