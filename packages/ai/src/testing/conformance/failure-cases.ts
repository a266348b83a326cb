import assert from "node:assert/strict";
import type { Message } from "../../message.ts";
import type { ProviderErrorCode } from "../../provider-error.ts";
import { scriptedText } from "../scripted-answer.ts";
import { type WireAnswer, type WireFault, wireFault } from "../wire-server/wire-answer.ts";
import { type ConformanceCase, conformanceCase } from "./conformance-case.ts";

const messages: readonly Message[] = [{ role: "user", content: "hi", timestamp: 1 }];

interface FailureRow {
  readonly name: string;
  readonly answer: WireAnswer;
  readonly code: ProviderErrorCode;
  readonly retryable: boolean;
}

const fault = (value: WireFault): WireAnswer => wireFault(value);

/** The fault matrix: what went wrong on the wire, and the code that it must get. */
const FAILURES: readonly FailureRow[] = [
  {
    name: "429",
    answer: fault({ kind: "rate_limit", retryAfter: "7" }),
    code: "rate_limited",
    retryable: true,
  },
  { name: "500", answer: fault({ kind: "status", status: 500 }), code: "overloaded", retryable: true },
  { name: "529", answer: fault({ kind: "status", status: 529 }), code: "overloaded", retryable: true },
  { name: "HTML 502", answer: fault({ kind: "html", status: 502 }), code: "overloaded", retryable: true },
  {
    name: "B094: error event mid-stream",
    answer: fault({ kind: "error_event", afterDeltas: 1 }),
    code: "overloaded",
    retryable: true,
  },
  { name: "reset before the headers", answer: fault({ kind: "reset" }), code: "network", retryable: true },
  {
    name: "reset mid-stream",
    answer: fault({ kind: "reset", afterDeltas: 1 }),
    code: "network",
    retryable: true,
  },
  {
    name: "B095: stream cut after a delta",
    answer: fault({ kind: "cut", afterDeltas: 1 }),
    code: "truncated_stream",
    retryable: true,
  },
  {
    name: "B095: stream cut right before its terminal event",
    answer: fault({ kind: "cut" }),
    code: "truncated_stream",
    retryable: true,
  },
  {
    name: "malformed chunk",
    answer: fault({ kind: "malformed", afterDeltas: 1 }),
    code: "malformed_stream",
    retryable: true,
  },
  { name: "B142: no quota", answer: fault({ kind: "quota" }), code: "quota", retryable: false },
  {
    name: "AI-40: overflow",
    answer: fault({ kind: "overflow" }),
    code: "context_overflow",
    retryable: false,
  },
  {
    name: "bad request",
    answer: fault({ kind: "status", status: 400, message: "no such option" }),
    code: "bad_request",
    retryable: false,
  },
  { name: "forbidden", answer: fault({ kind: "status", status: 403 }), code: "auth", retryable: false },
  {
    name: "refusal",
    answer: { content: [], stopReason: "refusal" },
    code: "content_filtered",
    retryable: false,
  },
  { name: "empty answer", answer: { content: [] }, code: "empty_response", retryable: true },
];

const failureCase = ({ name, answer, code, retryable }: FailureRow): ConformanceCase =>
  conformanceCase({
    name: `${name} ends as ${code}`,
    server: { answers: [answer] },
    async run({ call, server }) {
      const { message } = await call({ messages });
      assert.equal(message.stopReason, "error");
      assert.equal(message.error?.code, code, message.errorMessage);
      assert.equal(message.error?.retryable, retryable);
      assert.equal(server.requests.length, 1, "AI-39: the provider itself does not retry");
      if (name === "429") assert.equal(message.error?.retryAfterMs, 7_000);
    },
  });

/** Limits short enough for a test and long enough for a busy machine to send what comes before the silence. */
const SILENCE_MS = 300;

const silenceCases: readonly ConformanceCase[] = [
  conformanceCase({
    name: "a stall before the headers ends at the first-byte limit",
    server: { answers: [fault({ kind: "stall" })] },
    async run({ call }) {
      const { message } = await call({ messages, firstByteTimeoutMs: SILENCE_MS });
      assert.deepEqual([message.stopReason, message.error?.code], ["error", "timeout"]);
    },
  }),
  conformanceCase({
    name: "B146: a stall mid-stream ends at the idle limit",
    server: { answers: [fault({ kind: "stall", afterDeltas: 1 })] },
    async run({ call }) {
      const { message } = await call({ messages, idleTimeoutMs: SILENCE_MS });
      assert.deepEqual([message.stopReason, message.error?.code], ["error", "timeout"]);
    },
  }),
];

const abortCases: readonly ConformanceCase[] = [
  conformanceCase({
    name: "AI-31, AI-32: an abort before the headers ends as aborted and sends nothing more",
    server: { answers: () => "never" },
    async run({ call, server }) {
      const controller = new AbortController();
      server.push(() => {
        queueMicrotask(() => controller.abort());
        return fault({ kind: "stall" });
      });
      const { message } = await call({ messages, signal: controller.signal });
      assert.deepEqual([message.stopReason, message.error?.code], ["aborted", "aborted"]);
      assert.equal(server.requests.length, 1);
    },
  }),
  conformanceCase({
    name: "AI-31: an abort mid-stream keeps what had arrived, and the next request goes through",
    server: { answers: () => "fine" },
    async run({ call, server }) {
      const controller = new AbortController();
      const gate = (deltaIndex: number) => {
        if (deltaIndex < 2) return undefined;
        controller.abort();
        return Promise.withResolvers<void>().promise;
      };
      server.push({ content: [scriptedText("abcdef")], pace: { chunkSize: 2, gate } });
      const { message } = await call({ messages, signal: controller.signal });
      assert.equal(message.stopReason, "aborted");
      const next = await call({ messages: [...messages, message, ...messages] });
      assert.equal(next.message.stopReason, "stop");
    },
  }),
  conformanceCase({
    name: "a wrong key ends as auth",
    server: { answers: [] },
    expectsRejections: true,
    async run({ call }) {
      const { message } = await call({ messages, apiKey: "wrong" });
      assert.deepEqual([message.stopReason, message.error?.code], ["error", "auth"]);
    },
  }),
];

/** What a failed, stalled or aborted call must become. */
export const failureCases: readonly ConformanceCase[] = [
  ...FAILURES.map(failureCase),
  ...silenceCases,
  ...abortCases,
];
