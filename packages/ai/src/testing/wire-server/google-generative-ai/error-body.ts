import type { JsonObject } from "../json-shape.ts";
import type { WireProblem } from "../wire-format.ts";
import type { WireRejection } from "../wire-request.ts";

/** Names of https://cloud.google.com/apis/design/errors (2026-11) by HTTP status. */
const STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const MESSAGE: Readonly<Record<number, string>> = {
  500: "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
  503: "The model is overloaded. Please try again later.",
  504: "The service was unable to finish processing within the deadline.",
};

/** The error body of Google's APIs; `details` only where there are any. */
export const errorBody = (code: number, message: string, details: readonly JsonObject[] = []) => ({
  error: {
    code,
    message,
    status: STATUS[code] ?? "UNKNOWN",
    ...(details.length === 0 ? {} : { details }),
  },
});

const detail = (type: string, fields: JsonObject): JsonObject => ({
  "@type": `type.googleapis.com/google.rpc.${type}`,
  ...fields,
});

const KEY_INVALID = "API_KEY_INVALID";

/** A wrong key is a 400 here, a missing one a 403: https://ai.google.dev/gemini-api/docs/troubleshooting (2026-11). */
export function badKey(key: string | undefined): WireRejection {
  return key === undefined
    ? {
        status: 403,
        message:
          "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      }
    : { status: 400, message: "API key not valid. Please pass a valid API key.", code: KEY_INVALID };
}

/** The body of a refusal. */
export function refusalBody({ status, message, code, param }: WireRejection) {
  if (code === KEY_INVALID) {
    const metadata = { service: "generativelanguage.googleapis.com" };
    const info = detail("ErrorInfo", { reason: KEY_INVALID, domain: "googleapis.com", metadata });
    return errorBody(status, message, [info]);
  }
  if (param === undefined) return errorBody(status, message);
  const fieldViolations = [{ ...(param === "" ? {} : { field: param }), description: message }];
  return errorBody(status, message, [detail("BadRequest", { fieldViolations })]);
}

/** Statuses and wordings: https://ai.google.dev/gemini-api/docs/troubleshooting (2026-11) and public error reports. */
export function problemBody(problem: WireProblem) {
  switch (problem.kind) {
    case "rate_limit":
      return exhausted({ per: "Minute", retryDelay: retryDelayOf(problem.retryAfter) });
    case "quota":
      return exhausted({ per: "Day", retryDelay: undefined });
    case "overflow": {
      const message = `The input token count (${problem.promptTokens}) exceeds the maximum number of tokens allowed (${problem.contextWindow}).`;
      return { status: 400, body: errorBody(400, message) };
    }
    case "status": {
      const status = problem.status ?? 500;
      return { status, body: errorBody(status, problem.message ?? MESSAGE[status] ?? `Status ${status}`) };
    }
  }
}

/** A limit of a minute and one of a day share status and first sentence; only the details tell them apart. */
function exhausted({
  per,
  retryDelay,
}: {
  readonly per: "Minute" | "Day";
  readonly retryDelay: string | undefined;
}) {
  const metric = "generativelanguage.googleapis.com/generate_content_paid_tier_requests";
  const wait = retryDelay === undefined ? "" : `\nPlease retry in ${retryDelay}.`;
  const message = `You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n* Quota exceeded for metric: ${metric}, limit: 20${wait}`;
  const quotaId = `GenerateRequestsPer${per}PerProjectPerModel`;
  const violations = [{ quotaMetric: metric, quotaId, quotaValue: "20" }];
  const details = [
    detail("QuotaFailure", { violations }),
    ...(retryDelay === undefined ? [] : [detail("RetryInfo", { retryDelay })]),
  ];
  return { status: 429, body: errorBody(429, message, details) };
}

/** Durations are seconds with an `s`; a header that is a date or nonsense has no such form. */
const retryDelayOf = (retryAfter: string | undefined) =>
  retryAfter !== undefined && /^\d+(\.\d+)?$/.test(retryAfter) ? `${retryAfter}s` : undefined;
