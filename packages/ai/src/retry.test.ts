import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { failureEvent } from "./failure.ts";
import { createMessageStream } from "./message-stream.ts";
import type { Model } from "./model.ts";
import { ProviderError, type ProviderErrorOptions } from "./provider-error.ts";
import type { ChatRequest } from "./request.ts";
import { type RetryOptions, retryMiddleware } from "./retry.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { StreamEvent } from "./stream-event.ts";
import { scriptedMessage } from "./testing/scripted-message.ts";

const model = { id: "m", provider: "p", api: "a" } as Model;
const request: ChatRequest = { model, messages: [] };
const message = scriptedMessage();
const start: StreamEvent = { type: "start", message };
const done: StreamEvent = { type: "done", message: { ...message, content: [{ type: "text", text: "ok" }] } };
const fail = (error: ProviderErrorOptions): StreamEvent =>
  failureEvent({ request, error: new ProviderError(error), aborted: false, now: 0 });
const overloaded = fail({ code: "overloaded", message: "busy" });

/** Runs scripted attempts through the middleware; waits are recorded and over at once. */
async function run(script: readonly (readonly StreamEvent[])[], options: RetryOptions = {}, base = request) {
  let attempts = 0;
  const waits: number[] = [];
  const next = (inner: ChatRequest) => {
    const events = script[attempts++] ?? [];
    return createMessageStream({
      abort: () => {},
      onFailure: (error) =>
        failureEvent({ request: inner, error, aborted: inner.signal?.aborted ?? false, now: 0 }),
      async *events() {
        yield* events;
      },
    });
  };
  const wait = async (delayMs: number) => {
    waits.push(delayMs);
  };
  const seen: StreamEvent[] = [];
  const stream = retryMiddleware({ random: () => 0, now: () => 0, wait, ...options })(next)(base);
  for await (const event of stream) seen.push(event);
  return { seen, attempts, waits, result: await stream.result() };
}

describe("a passing failure before any output is repeated", () => {
  test("AI-39: the consumer sees one stream; N retries make N + 1 attempts", async () => {
    const { seen, attempts, waits } = await run([[start, overloaded], [overloaded], [start, done]]);
    expect(seen).toEqual([start, done]);
    expect(attempts).toBe(3);
    expect(waits).toEqual([2000, 4000]);
  });

  test("until the limit, then the last failure is the answer", async () => {
    const { seen, attempts } = await run([[overloaded], [overloaded], [overloaded]], { maxRetries: 2 });
    expect(seen).toEqual([overloaded]);
    expect(attempts).toBe(3);
  });

  test.each(["auth", "quota", "bad_request", "context_overflow", "content_filtered"] as const)(
    "B142, AI-37: not one of the lasting kind: %s",
    async (code) => {
      expect((await run([[fail({ code, message: "no" })]])).attempts).toBe(1);
    },
  );

  test("B148: not after visible output", async () => {
    const text: StreamEvent = { type: "text_start", contentIndex: 0 };
    const { seen, attempts } = await run([
      [start, text, overloaded],
      [start, done],
    ]);
    expect(seen).toEqual([start, text, overloaded]);
    expect(attempts).toBe(1);
  });
});

describe("the wait", () => {
  test("B139: longer than the limit is no wait but an error that names it", async () => {
    const { attempts, result } = await run([
      [fail({ code: "rate_limited", message: "slow down", retryAfterMs: 3_600_000 })],
    ]);
    expect(attempts).toBe(1);
    expect(result.error).toMatchObject({ code: "rate_limited", retryAfterMs: 3_600_000 });
    expect(result.errorMessage).toBe(
      "slow down The server asks to wait 3600 s, more than the limit of 60 s.",
    );
  });

  test.each([
    {
      name: "what the server asks for",
      error: { code: "rate_limited", retryAfterMs: 5000 },
      attempt: 3,
      random: 0.9,
      delay: 5000,
    },
    {
      name: "at most half a second for the first transport fault",
      error: { code: "network" },
      attempt: 1,
      random: 0.999,
      delay: 312.4375,
    },
    { name: "doubling", error: { code: "overloaded" }, attempt: 3, random: 0, delay: 8000 },
    { name: "with jitter", error: { code: "overloaded" }, attempt: 1, random: 0.5, delay: 2250 },
    { name: "never above the cap", error: { code: "network" }, attempt: 30, random: 0.9, delay: 60_000 },
  ])("AI-38 is $name", ({ error, attempt, random, delay }) => {
    const settings = { maxRetries: 3, baseDelayMs: 2000, maxDelayMs: 60_000 };
    expect(retryDelayMs({ settings, error, attempt, random })).toBe(delay);
  });

  test("B140, AI-31, AI-32, AI-33: ends when the request is aborted, without another attempt or a listener left", async () => {
    const controller = new AbortController();
    const slow = fail({ code: "rate_limited", message: "wait", retryAfterMs: 30_000 });
    let attempts = 0;
    const next = () =>
      createMessageStream({
        abort: () => {},
        onFailure: () => slow as Extract<StreamEvent, { type: "error" }>,
        async *events() {
          attempts++;
          yield slow;
        },
      });
    const stream = retryMiddleware({ onRetry: () => queueMicrotask(() => controller.abort()) })(next)({
      ...request,
      signal: controller.signal,
    });
    expect(await stream.result()).toMatchObject({ stopReason: "aborted", error: { code: "aborted" } });
    expect(attempts).toBe(1);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});
