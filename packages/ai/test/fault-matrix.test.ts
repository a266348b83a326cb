import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { builtinProviders } from "../src/builtin-providers.ts";
import { createClient } from "../src/client.ts";
import type { ProviderErrorCode } from "../src/provider-error.ts";
import type { ChatRequest } from "../src/request.ts";
import { retryMiddleware } from "../src/retry.ts";
import {
  createWireServer,
  scriptedText,
  scriptedToolCall,
  type WireAnswer,
  type WireFault,
  type WireServer,
  wireFault,
} from "../src/testing/index.ts";

const GOOD: WireAnswer = { content: [scriptedText("All good: 漢字 😀.")], pace: { chunkSize: 3 } };
const MESSAGES = [{ role: "user", content: "hi", timestamp: 1 }] as const;
const SECOND = 1_000;

interface Outcome {
  readonly stopReason: string;
  readonly code: string | undefined;
  readonly text: string;
  /** Delays before the repetitions, without jitter. */
  readonly waitsMs: readonly number[];
  readonly requests: number;
}

/** One call with retries; nobody waits for real. */
async function call(server: WireServer, api: string, more: Partial<ChatRequest> = {}): Promise<Outcome> {
  const waitsMs: number[] = [];
  const retry = retryMiddleware({
    random: () => 0,
    wait: async (delayMs) => void waitsMs.push(delayMs),
  });
  const client = createClient({
    providers: builtinProviders,
    apiKeyFor: () => server.apiKey,
    middleware: [retry],
  });
  const before = server.requests.length;
  const message = await client.complete({ model: server.model(api), messages: MESSAGES, ...more });
  return {
    stopReason: message.stopReason,
    code: message.error?.code,
    text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    waitsMs,
    requests: server.requests.length - before,
  };
}

const recovered = (waitsMs: readonly number[]): Outcome => ({
  stopReason: "stop",
  code: undefined,
  text: "All good: 漢字 😀.",
  waitsMs,
  requests: waitsMs.length + 1,
});
const failed = (code: ProviderErrorCode, waitsMs: readonly number[], requests: number): Outcome => ({
  stopReason: "error",
  code,
  text: "",
  waitsMs,
  requests,
});

const status = (code: number): WireFault => ({ kind: "status", status: code });
const html: WireFault = { kind: "html", status: 502 };

/** Faults before anything visible: the call goes on as if nothing had been. */
const RECOVERS: readonly { name: string; faults: readonly WireFault[]; waitsMs: readonly number[] }[] = [
  { name: "429 with Retry-After", faults: [{ kind: "rate_limit", retryAfter: "7" }], waitsMs: [7 * SECOND] },
  { name: "429 without Retry-After", faults: [{ kind: "rate_limit" }], waitsMs: [2 * SECOND] },
  { name: "529 twice", faults: [status(529), status(529)], waitsMs: [2 * SECOND, 4 * SECOND] },
  { name: "500", faults: [status(500)], waitsMs: [2 * SECOND] },
  { name: "HTML 502", faults: [html], waitsMs: [2 * SECOND] },
  {
    name: "error event mid-stream",
    faults: [{ kind: "error_event", afterDeltas: 0 }],
    waitsMs: [2 * SECOND],
  },
  { name: "reset before the headers", faults: [{ kind: "reset" }], waitsMs: [250] },
  { name: "reset mid-stream", faults: [{ kind: "reset", afterDeltas: 0 }], waitsMs: [250] },
  { name: "stream cut before its end", faults: [{ kind: "cut", afterDeltas: 0 }], waitsMs: [250] },
  { name: "malformed chunk", faults: [{ kind: "malformed", afterDeltas: 0 }], waitsMs: [250] },
  {
    name: "three faults in a row",
    faults: [{ kind: "reset" }, status(500), { kind: "rate_limit", retryAfter: "3" }],
    waitsMs: [250, 4 * SECOND, 3 * SECOND],
  },
];

/** The same after visible text: final here, so that nothing is glued; the layer above may call afresh. */
const BREAKS: readonly { name: string; fault: WireFault; code: ProviderErrorCode }[] = [
  { name: "error event", fault: { kind: "error_event", afterDeltas: 1 }, code: "overloaded" },
  { name: "reset", fault: { kind: "reset", afterDeltas: 1 }, code: "network" },
  { name: "cut", fault: { kind: "cut", afterDeltas: 1 }, code: "truncated_stream" },
  { name: "cut at the last moment", fault: { kind: "cut" }, code: "truncated_stream" },
  { name: "malformed chunk", fault: { kind: "malformed", afterDeltas: 1 }, code: "malformed_stream" },
];

const HARMLESS = [
  { name: "comments and pings", framing: { keepAlives: true } },
  { name: "CRLF", framing: { newline: "\r\n" } },
  { name: "CR", framing: { newline: "\r" } },
  { name: "unknown events", framing: { unknownEvents: true } },
  { name: "every byte for itself", framing: { chunkBytes: 1 } },
  { name: "all of it", framing: { keepAlives: true, newline: "\r\n", unknownEvents: true, chunkBytes: 3 } },
] as const;

const AT_ONCE: readonly { name: string; answer: WireAnswer; code: ProviderErrorCode }[] = [
  { name: "no quota", answer: wireFault({ kind: "quota" }), code: "quota" },
  {
    name: "bad request",
    answer: wireFault({ kind: "status", status: 400, message: "no" }),
    code: "bad_request",
  },
  { name: "overflow", answer: wireFault({ kind: "overflow" }), code: "context_overflow" },
  { name: "refusal", answer: { content: [], stopReason: "refusal" }, code: "content_filtered" },
];

describe.each(Object.keys(builtinProviders))("%s", (api) => {
  test.each(RECOVERS)("recovers: $name", async ({ faults, waitsMs }) => {
    await using server = await createWireServer({ answers: [...faults.map(wireFault), GOOD] });
    expect(await call(server, api)).toEqual(recovered(waitsMs));
  });

  test.each(BREAKS)("recovers in a fresh attempt after visible text: $name", async ({ fault, code }) => {
    await using server = await createWireServer({ answers: [wireFault(fault), GOOD] });
    const broken = await call(server, api);
    expect(broken).toEqual({ ...failed(code, [], 1), text: expect.stringMatching(/^This text is bro/) });
    expect(await call(server, api)).toEqual(recovered([]));
  });

  test.each(HARMLESS)("goes through: $name", async ({ framing }) => {
    await using server = await createWireServer({ answers: [{ ...GOOD, framing }] });
    expect(await call(server, api)).toEqual(recovered([]));
  });

  test.each(AT_ONCE)("ends at once: $name", async ({ answer, code }) => {
    await using server = await createWireServer({ answers: [answer] });
    expect(await call(server, api)).toEqual(failed(code, [], 1));
  });

  test("ends at once: bad key", async () => {
    await using server = await createWireServer({ answers: [] });
    expect(await call(server, api, { apiKey: "wrong" })).toEqual(failed("auth", [], 0));
    expect(server.rejections).toHaveLength(1);
  });

  test("ends at once: a wait longer than the limit", async () => {
    await using server = await createWireServer({
      answers: [wireFault({ kind: "rate_limit", retryAfter: "3600" })],
    });
    expect(await call(server, api)).toEqual(failed("rate_limited", [], 1));
  });

  test("ends as an error: empty answers, once the attempts are used up", async () => {
    await using server = await createWireServer({ answers: () => ({ content: [] }) });
    const waitsMs = [2 * SECOND, 4 * SECOND, 8 * SECOND];
    expect(await call(server, api)).toEqual(failed("empty_response", waitsMs, 4));
  });

  test("ends as an error: truncated arguments never become a call that runs", async () => {
    await using server = await createWireServer({ answers: () => scriptedToolCall("read", '{"path":"a') });
    const client = createClient({ providers: builtinProviders, apiKeyFor: () => server.apiKey });
    const { content, stopReason } = await client.complete({ model: server.model(api), messages: MESSAGES });
    const runnable = content.filter(
      (block) => block.type === "toolCall" && block.argumentsError === undefined,
    );
    expect([runnable, stopReason === "stop"]).toEqual([[], false]);
  });
});

describe.each(Object.keys(builtinProviders))("%s: silence", (api) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());
  const silence = (ms: number) => async () => void vi.advanceTimersByTime(ms);

  test("goes through: 20 s before the headers and before every delta", async () => {
    await using server = await createWireServer({
      answers: () => {
        vi.advanceTimersByTime(20 * SECOND);
        return { ...GOOD, pace: { chunkSize: 3, gate: silence(20 * SECOND) } };
      },
    });
    expect(await call(server, api)).toEqual(recovered([]));
  });

  test("recovers: a stall before the headers, then an answer", async () => {
    await using server = await createWireServer({
      answers: (_request, callIndex) => {
        if (callIndex > 0) return GOOD;
        vi.advanceTimersByTime(30 * SECOND);
        return wireFault({ kind: "stall" });
      },
    });
    const outcome = await call(server, api, { firstByteTimeoutMs: 30 * SECOND });
    expect(outcome).toEqual(recovered([2 * SECOND]));
  });

  test("ends as an error: nothing but stalls", async () => {
    await using server = await createWireServer({
      answers: () => {
        vi.advanceTimersByTime(30 * SECOND);
        return wireFault({ kind: "stall" });
      },
    });
    const outcome = await call(server, api, { firstByteTimeoutMs: 30 * SECOND });
    expect(outcome).toEqual(failed("timeout", [2 * SECOND, 4 * SECOND, 8 * SECOND], 4));
  });
});

test("google-generative-ai recovers: a per-minute limit that tells its wait in the body only", async () => {
  const details = [
    {
      "@type": "type.googleapis.com/google.rpc.QuotaFailure",
      violations: [{ quotaId: "RequestsPerMinute" }],
    },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.5s" },
  ];
  const message = "You exceeded your current quota, please check your plan and billing details.";
  const body = JSON.stringify({ error: { code: 429, status: "RESOURCE_EXHAUSTED", message, details } });
  await using server = await createWireServer({
    answers: [wireFault({ kind: "status", status: 429, body }), GOOD],
  });
  expect(await call(server, "google-generative-ai")).toEqual(recovered([17_500]));
});
