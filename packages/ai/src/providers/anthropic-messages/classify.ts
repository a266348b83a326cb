import type { ProviderError } from "../../provider-error.ts";
import { classifyAnswer, type ErrorAnswer, type ErrorDetail, type ErrorRule } from "../classify-answer.ts";

/** Error types: https://docs.claude.com/en/api/errors (2026-11). */
export const RULES: readonly ErrorRule[] = [
  {
    code: "quota",
    text: /credit balance is too low|usage limit|spend(ing)? limit|billing/i,
    samples: ["Your credit balance is too low to access the API. Please go to Plans & Billing."],
  },
  { code: "quota", types: ["billing_error"] },
  { code: "auth", types: ["authentication_error", "permission_error"] },
  { code: "rate_limited", types: ["rate_limit_error"] },
  { code: "rate_limited", statuses: [429] },
  {
    code: "rejected_signature",
    text: /invalid `?signature|signature.{0,20}(is )?(invalid|not valid|missing)|thinking` blocks .*cannot be modified/i,
    samples: [
      "messages.1.content.0: Invalid `signature` in `thinking` block",
      "messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
      "***.***.content.0: Invalid signature in thinking block",
    ],
  },
  { code: "context_overflow", types: ["request_too_large"] },
  {
    code: "context_overflow",
    text: /prompt is too long|exceed(s|ed)? (the )?(model'?s )?(max(imum)? )?context|context (window|length) .*exceed|input length .* exceed|prompt too long|input is too long/i,
    samples: [
      "prompt is too long: 213462 tokens > 200000 maximum",
      "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
      "Input length (300001) exceeds model's maximum context length (262144).",
      "prompt too long; exceeded max context length by 417 tokens",
      "Input is too long for requested model.",
    ],
  },
  { code: "overloaded", types: ["overloaded_error", "api_error"] },
  { code: "timeout", types: ["timeout_error"] },
  { code: "unknown_model", types: ["not_found_error"], text: /model/i, samples: ["model: claude-nine"] },
  { code: "bad_request", types: ["invalid_request_error", "not_found_error"] },
];

/** What an Anthropic error answer, or the data of an `error` event, means. */
export function classify(
  answer: ErrorAnswer,
  context: { readonly provider: string; readonly now: number },
): ProviderError {
  return classifyAnswer({ answer, detail: detailOf(answer.body), rules: RULES, ...context });
}

/** The error object: `{type: "error", error: {type, message}}`, in relays also without the outer object. */
function detailOf(body: unknown): ErrorDetail {
  const outer = body as { error?: unknown } | null | undefined;
  const inner = (typeof outer === "object" ? (outer?.error ?? outer) : undefined) as
    | { type?: unknown; message?: unknown }
    | string
    | null
    | undefined;
  if (typeof inner === "string") return { message: inner };
  return {
    message: typeof inner?.message === "string" ? inner.message : undefined,
    type: typeof inner?.type === "string" ? inner.type : undefined,
  };
}
