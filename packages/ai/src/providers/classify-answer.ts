import type { AnswerHeaders } from "../post.ts";
import { ProviderError, type ProviderErrorCode } from "../provider-error.ts";
import { readableBody } from "./http-failure.ts";
import { namedLimitTokens } from "./named-limit.ts";
import { retryAfterMs } from "./retry-after.ts";

/** What a server said when it failed: a whole answer, or an error event inside a stream (then without a status). */
export interface ErrorAnswer {
  readonly status?: number;
  readonly headers?: AnswerHeaders;
  /** Where it came from. */
  readonly url?: string | undefined;
  readonly body: unknown;
  readonly text: string;
}

/** The structured part of an error body, as the provider's own reader found it. */
export interface ErrorDetail {
  readonly message?: string | undefined;
  /** The provider's word for the error, for example `overloaded_error`. */
  readonly type?: string | undefined;
  /** A wait that the body asks for, in milliseconds; a header's wish comes first. */
  readonly retryAfterMs?: number;
}

/** One way to recognise an error. All given conditions must hold. */
export interface ErrorRule {
  readonly code: ProviderErrorCode;
  readonly statuses?: readonly number[];
  readonly types?: readonly string[];
  /** Tested on the message; the last resort, and only here. */
  readonly text?: RegExp;
  /** A message that the pattern is for; a test runs each. */
  readonly samples?: readonly string[];
}

export interface ClassifyOptions {
  readonly provider: string;
  readonly answer: ErrorAnswer;
  readonly detail: ErrorDetail;
  /** In order of precedence: credentials and quota, rate limits, overflow, the rest. */
  readonly rules: readonly ErrorRule[];
  /** Unix milliseconds. */
  readonly now: number;
}

/** The classified error for an answer: the first rule that holds, else what the status says. */
export function classifyAnswer(options: ClassifyOptions): ProviderError {
  const { answer, detail } = options;
  const message = detail.message ?? readableBody(answer.text);
  const rule = options.rules.find((candidate) => holds(candidate, answer, detail, message));
  const code = rule?.code ?? codeOfStatus(answer);
  const wait = (answer.headers && retryAfterMs(answer.headers, options.now)) ?? detail.retryAfterMs;
  const limitTokens = code === "context_overflow" ? namedLimitTokens(message) : undefined;
  const isWrongPath = code === "bad_request" && answer.status === 404 && answer.url !== undefined;
  const hint = isWrongPath ? ` Check the base URL, its path included: ${answer.url}` : "";
  return new ProviderError({
    code,
    message: `${describe(options.provider, answer.status, detail.type, message)}${hint}`,
    ...(code === "unknown" && answer.status === undefined ? { retryable: false } : {}),
    ...(answer.status === undefined ? {} : { status: answer.status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(limitTokens === undefined ? {} : { limitTokens }),
  });
}

function holds(rule: ErrorRule, answer: ErrorAnswer, detail: ErrorDetail, message: string): boolean {
  if (rule.statuses !== undefined && !rule.statuses.includes(answer.status ?? 0)) return false;
  if (rule.types !== undefined && !rule.types.includes(detail.type ?? "")) return false;
  return rule.text === undefined || rule.text.test(message);
}

function codeOfStatus({ status, text }: ErrorAnswer): ProviderErrorCode {
  if (status === undefined) return "unknown";
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "quota";
  if (status === 408) return "timeout";
  // Only a body shows that the prompt, and not some proxy's limit, was meant.
  if (status === 413) return text.trim() === "" ? "bad_request" : "context_overflow";
  if (status === 429) return "rate_limited";
  if (status === 409 || status === 425 || status >= 500) return "overloaded";
  return status >= 400 ? "bad_request" : "unknown";
}

function describe(
  provider: string,
  status: number | undefined,
  type: string | undefined,
  message: string,
): string {
  const facts = [status === undefined ? "" : `HTTP ${status}`, type ?? ""]
    .filter((fact) => fact !== "")
    .join(", ");
  return `${provider} failed${facts === "" ? "" : ` (${facts})`}: ${message === "" ? "no further information" : readableBody(message)}`;
}
