import type { ProviderError } from "../provider-error.ts";
import { classifyAnswer, type ErrorAnswer, type ErrorDetail, type ErrorRule } from "./classify-answer.ts";

/** Error codes: https://platform.openai.com/docs/guides/error-codes (2026-11); texts of compatible servers by sample. */
export const OPENAI_ERROR_RULES: readonly ErrorRule[] = [
  {
    code: "quota",
    types: ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"],
  },
  { code: "quota", statuses: [402] },
  {
    code: "quota",
    text: /exceeded your current quota|insufficient (balance|credits|quota|funds)|usage cap|check your plan and billing|billing/i,
    samples: [
      "You exceeded your current quota, please check your plan and billing details.",
      "Insufficient Balance",
      "This request requires more credits: insufficient credits.",
    ],
  },
  {
    code: "auth",
    types: ["invalid_api_key", "authentication_error", "invalid_authentication", "permission_error"],
  },
  { code: "rate_limited", types: ["rate_limit_exceeded", "rate_limit_error"] },
  { code: "rate_limited", statuses: [429] },
  {
    code: "rate_limited",
    text: /too many (tokens|requests)|rate.?limit|resource.?exhausted|throttl/i,
    samples: ["Too many tokens per minute, please wait", "ResourceExhausted: try again later"],
  },
  { code: "rejected_signature", types: ["invalid_encrypted_content"] },
  {
    code: "rejected_signature",
    text: /encrypted content .*could not be (verified|decrypted)|of type 'reasoning' was provided without|invalid `?signature|thought.?signature/i,
    samples: [
      "The encrypted content gAAA could not be verified. Reason: Encrypted content organization_id did not match.",
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
      "Invalid signature in thinking block",
      "Unable to submit request because Thought signature is not valid.",
    ],
  },
  {
    code: "context_overflow",
    types: [
      "context_length_exceeded",
      "ContextWindowExceededError",
      "exceed_context_size_error",
      "request_too_large",
    ],
  },
  {
    code: "context_overflow",
    text: /(maximum|max) (allowed |model )?(context|input|prompt) ?(length|size|window)?|context (length|window|size) .*exceed|exceed\w* .{0,30}context|longer than the (model's )?context|prompt (is )?too long|prompt exceeds max length|input (is )?too (long|large)|context size is|ContextWindowExceeded|tokens? .*(exceed|greater than).*limit|failed to parse request/i,
    samples: [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9021 tokens.",
      "Input length (300001) exceeds model's maximum context length (262144).",
      "prompt too long; exceeded max context length by 417 tokens",
      "the request exceeds the available context size, try increasing it",
      "Prompt has 9001 tokens, but the configured context size is 8192",
      "Prompt exceeds max length",
      "Prompt too long",
      "The input token count exceeds the maximum allowed input length",
      "litellm.ContextWindowExceededError: ContextWindowExceededError",
      "The number of tokens to keep from the initial prompt is greater than the context length, which exceeds its context",
    ],
  },
  { code: "content_filtered", types: ["content_filter", "content_policy_violation", "moderation_blocked"] },
  { code: "unknown_model", types: ["model_not_found"] },
  {
    code: "unknown_model",
    statuses: [404],
    text: /model/i,
    samples: ["The model `gpt-nine` does not exist"],
  },
  {
    code: "overloaded",
    types: ["server_error", "overloaded_error", "service_unavailable", "engine_overloaded"],
  },
  {
    code: "overloaded",
    text: /overloaded|at capacity|no available (capacity|worker|provider)|temporarily unavailable|server is busy|upstream (connect|error)/i,
    samples: [
      "The engine is currently overloaded, please try again later",
      "Provider is at capacity",
      "Server is busy",
    ],
  },
];

/** What an error answer of an OpenAI-compatible server, or an error chunk, means. */
export function classifyOpenAi(
  answer: ErrorAnswer,
  context: { readonly provider: string; readonly now: number },
): ProviderError {
  const detail = detailOf(answer.body);
  // Relays report the status of the model's own server inside the body of a 200.
  const inner = answer.status === undefined ? detail.status : undefined;
  return classifyAnswer({
    answer: inner === undefined ? answer : { ...answer, status: inner },
    detail,
    rules: OPENAI_ERROR_RULES,
    ...context,
  });
}

/** `{error: {message, type, code}}`, `{error: "text"}`, `{message, code}` or FastAPI's `{detail}`. */
function detailOf(body: unknown): ErrorDetail & { readonly status?: number } {
  const outer = asObject(Array.isArray(body) ? body[0] : body);
  const error = outer?.error ?? outer;
  if (typeof error === "string") return { message: error };
  const object = asObject(error);
  if (object === undefined) return {};
  const { code } = object;
  const message = [object.message, object.detail].find((text) => typeof text === "string");
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
  return {
    message: typeof message === "string" ? withUpstream(message, object.metadata) : undefined,
    type:
      typeof code === "string" && code !== ""
        ? code
        : typeof object.type === "string"
          ? object.type
          : undefined,
    ...(status === undefined ? {} : { status }),
  };
}

/** OpenRouter puts what the model's own server said into `metadata.raw`. */
function withUpstream(message: string, metadata: unknown): string {
  const raw = asObject(metadata)?.raw;
  return typeof raw === "string" && raw !== "" ? `${message}: ${raw}` : message;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
