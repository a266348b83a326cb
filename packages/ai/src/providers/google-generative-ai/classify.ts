import type { ProviderError } from "../../provider-error.ts";
import { classifyAnswer, type ErrorAnswer, type ErrorDetail, type ErrorRule } from "../classify-answer.ts";

/** Error statuses: https://ai.google.dev/gemini-api/docs/troubleshooting (2026-11). */
export const RULES: readonly ErrorRule[] = [
  { code: "auth", types: ["API_KEY_INVALID", "UNAUTHENTICATED", "PERMISSION_DENIED"] },
  {
    code: "auth",
    text: /API key (not valid|expired|not found)|API_KEY_INVALID/i,
    samples: ["API key not valid. Please pass a valid API key."],
  },
  { code: "quota", types: ["QUOTA_USED_UP", "BILLING_DISABLED"] },
  {
    code: "quota",
    text: /billing (is|has been|account).*(disabled|not enabled|required)|enable billing|prepayment credits are depleted/i,
    samples: [
      "This API method requires billing to be enabled. Please enable billing on project #1.",
      "Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.",
    ],
  },
  { code: "rate_limited", types: ["RESOURCE_EXHAUSTED"] },
  { code: "rate_limited", statuses: [429] },
  {
    code: "rejected_signature",
    text: /thought.?signature/i,
    samples: [
      "Corrupted thought signature.",
      "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
    ],
  },
  {
    code: "context_overflow",
    text: /input token count.*exceeds|exceeds the maximum (number of )?(allowed )?(input )?(tokens|length)|(maximum|max) (context|input) (length|size)|prompt too long|request payload size exceeds|exceed\w* .{0,30}context/i,
    samples: [
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
      "The input token count exceeds the maximum allowed input length",
      "Request payload size exceeds the limit: 20971520 bytes.",
      "Input length (300001) exceeds model's maximum context length (262144).",
    ],
  },
  {
    code: "unknown_model",
    types: ["NOT_FOUND"],
    text: /model/i,
    samples: ["models/gemini-nine is not found for API version v1beta"],
  },
  { code: "timeout", types: ["DEADLINE_EXCEEDED"] },
  { code: "overloaded", types: ["UNAVAILABLE", "INTERNAL", "ABORTED", "UNKNOWN"] },
  {
    code: "overloaded",
    text: /overloaded|high demand|at capacity|temporarily unavailable/i,
    samples: ["The model is overloaded. Please try again later."],
  },
  { code: "bad_request", types: ["INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE", "NOT_FOUND"] },
];

/** What an error answer of the Gemini API, or an error chunk, means. */
export function classify(
  answer: ErrorAnswer,
  context: { readonly provider: string; readonly now: number },
): ProviderError {
  const { status, ...detail } = detailOf(answer.body);
  const placed = answer.status === undefined && status !== undefined ? { ...answer, status } : answer;
  return classifyAnswer({ answer: placed, detail, rules: RULES, ...context });
}

interface GoogleError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly status?: unknown;
  readonly details?: unknown;
}

interface GoogleDetail {
  readonly "@type"?: unknown;
  readonly reason?: unknown;
  readonly retryDelay?: unknown;
  readonly violations?: unknown;
}

/** `{error: {code, message, status, details}}`, also inside a list. */
function detailOf(body: unknown): ErrorDetail & { readonly status?: number } {
  const outer = (Array.isArray(body) ? body[0] : body) as { error?: unknown } | null | undefined;
  const error = (typeof outer === "object" && outer !== null ? (outer.error ?? outer) : undefined) as
    | GoogleError
    | string
    | undefined;
  if (error === undefined || error === null) return {};
  if (typeof error === "string") return { message: error };
  const details = (Array.isArray(error.details) ? error.details : []) as readonly (GoogleDetail | null)[];
  const message = typeof error.message === "string" ? error.message : undefined;
  const wait = waitOf(details, message);
  const status = typeof error.code === "number" && error.code >= 400 ? error.code : undefined;
  return {
    message,
    type: typeOf(error, details),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The most telling word: the reason in the details, a used-up day, else the status. */
function typeOf(error: GoogleError, details: readonly (GoogleDetail | null)[]): string | undefined {
  const reason = details.find((detail) => typeof detail?.reason === "string")?.reason;
  if (reason === "API_KEY_INVALID" || reason === "BILLING_DISABLED") return reason;
  if (error.status === "RESOURCE_EXHAUSTED" && isUsedUp(details)) return "QUOTA_USED_UP";
  return typeof error.status === "string" ? error.status : undefined;
}

/** One text stands for all limits; the violated quota's id says whether it is one of a minute or of a day. */
function isUsedUp(details: readonly (GoogleDetail | null)[]): boolean {
  const violations = details.flatMap((detail) =>
    Array.isArray(detail?.violations) ? (detail.violations as readonly ({ quotaId?: unknown } | null)[]) : [],
  );
  return violations.some((violation) => /PerDay/i.test(String(violation?.quotaId ?? "")));
}

/** `RetryInfo.retryDelay` ("34.07s"), else the same in the text ("Please retry in 34.07s."), in milliseconds. */
function waitOf(details: readonly (GoogleDetail | null)[], message: string | undefined): number | undefined {
  const delay = details.find((detail) => typeof detail?.retryDelay === "string")?.retryDelay;
  const seconds =
    /^(\d+(?:\.\d+)?)s$/.exec(String(delay ?? ""))?.[1] ??
    /retry in (\d+(?:\.\d+)?)s\b/i.exec(message ?? "")?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}
