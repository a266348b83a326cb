import { describe, expect, test } from "vitest";
import { RULES as ANTHROPIC_RULES, classify as classifyAnthropic } from "./anthropic-messages/classify.ts";
import type { ErrorAnswer } from "./classify-answer.ts";
import { classify as classifyGoogle, RULES as GOOGLE_RULES } from "./google-generative-ai/classify.ts";
import { classifyOpenAi, OPENAI_ERROR_RULES as OPENAI_RULES } from "./openai-errors.ts";
import { retryAfterMs } from "./retry-after.ts";

const context = { provider: "p", now: Date.parse("2026-11-30T12:00:00Z") };
const answer = (status: number, error: object): ErrorAnswer => {
  const body = { error };
  return { status, body, text: JSON.stringify(body) };
};

const providers = [
  { api: "anthropic-messages", classify: classifyAnthropic, rules: ANTHROPIC_RULES },
  { api: "openai-completions and openai-responses", classify: classifyOpenAi, rules: OPENAI_RULES },
  { api: "google-generative-ai", classify: classifyGoogle, rules: GOOGLE_RULES },
];

describe.each(providers)("$api", ({ classify, rules }) => {
  const samples = rules.flatMap((rule) => (rule.samples ?? []).map((sample) => ({ sample, rule })));

  test("every text pattern has a sample", () => {
    expect(rules.filter((rule) => rule.text !== undefined && (rule.samples ?? []).length === 0)).toEqual([]);
  });

  test.each(samples)("B078, B080, AI-40: $sample", ({ sample, rule }) => {
    const type = rule.types?.[0] ?? "invalid_request_error";
    const error = { type, status: type, message: sample };
    expect(classify(answer(rule.statuses?.[0] ?? 400, error), context).code).toBe(rule.code);
  });

  test.each([
    ["AI-37: digits in an id are no status", 400, "request id 5002 not valid", "bad_request"],
    ["AI-37: byte counts are no status", 400, "wrote 503 bytes", "bad_request"],
    [
      "B084: throttling that speaks of tokens is no overflow",
      429,
      "Too many tokens per minute, please wait",
      "rate_limited",
    ],
    ["AI-40: an unknown text stays a plain error", 400, "something odd", "bad_request"],
    ["an unknown server fault is a passing one", 520, "origin error", "overloaded"],
    ["AI-36: a gateway timeout is a passing one", 524, "timed out", "overloaded"],
  ] as const)("%s", (_name, status, message, code) => {
    expect(classify(answer(status, { message }), context)).toMatchObject({ code, status });
  });
});

test("AI-37: a used-up quota told with 429 is final", () => {
  const error = classifyOpenAi(
    answer(429, { code: "insufficient_quota", type: "insufficient_quota", message: "x" }),
    context,
  );
  expect(error).toMatchObject({ code: "quota", retryable: false });
});

test("a relay's error chunk is classified by the status inside it, with what the model's server said", () => {
  const body = { error: { code: 429, message: "Provider returned error", metadata: { raw: "slow down" } } };
  expect(classifyOpenAi({ body, text: "" }, context)).toMatchObject({
    code: "rate_limited",
    status: 429,
    message: "p failed (HTTP 429): Provider returned error: slow down",
  });
});

describe("Google's quota errors", () => {
  const quota = (quotaId: string, retryDelay?: string) =>
    classifyGoogle(
      answer(429, {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "You exceeded your current quota, please check your plan and billing details.",
        details: [
          { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] },
          ...(retryDelay === undefined
            ? []
            : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }]),
        ],
      }),
      context,
    );

  test("AI-38: a limit of a minute is waited for as long as the body says", () => {
    expect(quota("GenerateRequestsPerMinutePerProjectPerModel", "34.074s")).toMatchObject({
      code: "rate_limited",
      retryable: true,
      retryAfterMs: 34_074,
    });
  });

  test("B142: a used-up day is final", () => {
    expect(quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "12s")).toMatchObject({
      code: "quota",
      retryable: false,
    });
  });

  test("AI-38: a header's wait comes before the body's, the text's after the details'", () => {
    const error = { status: "RESOURCE_EXHAUSTED", message: "Slow down. Please retry in 2.5s." };
    const headers = new Headers({ "retry-after": "7" });
    expect(classifyGoogle(answer(429, error), context).retryAfterMs).toBe(2500);
    expect(classifyGoogle({ ...answer(429, error), headers }, context).retryAfterMs).toBe(7000);
  });

  test("a bad key told with 400 is a matter of the key", () => {
    const error = {
      code: 400,
      status: "INVALID_ARGUMENT",
      message: "x",
      details: [{ reason: "API_KEY_INVALID" }],
    };
    expect(classifyGoogle(answer(400, error), context).code).toBe("auth");
  });
});

describe("AI-38: Retry-After", () => {
  test.each([
    ["seconds", { "retry-after": "5" }, 5000],
    ["a fraction of seconds", { "retry-after": "0.5" }, 500],
    ["milliseconds first", { "retry-after-ms": "120", "retry-after": "9" }, 120],
    ["a date", { "retry-after": "Mon, 30 Nov 2026 12:00:30 GMT" }, 30_000],
    ["a date that has passed", { "retry-after": "Mon, 30 Nov 2026 11:00:00 GMT" }, 0],
    ["hours", { "retry-after": "18000" }, 18_000_000],
    ["nonsense", { "retry-after": "soon" }, undefined],
    ["nothing", {}, undefined],
  ] as const)("as %s", (_name, headers, wait) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), context.now)).toBe(wait);
  });
});

test("the window that an overflow names is a field of the error", () => {
  const message = "prompt is too long: 213462 tokens > 200000 maximum";
  const error = classifyAnthropic(answer(400, { type: "invalid_request_error", message }), context);
  expect(error.toInfo()).toMatchObject({ code: "context_overflow", limitTokens: 200_000 });
});
