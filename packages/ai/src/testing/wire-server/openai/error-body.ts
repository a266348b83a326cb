import type { WireProblem } from "../wire-format.ts";
import type { WireRejection } from "../wire-request.ts";

interface OpenAiErrorDetails {
  readonly type?: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

/** The error body of the OpenAI APIs. */
export const errorBody = (message: string, details: OpenAiErrorDetails = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...details },
});

/** The body of a refusal. */
export function refusalBody({ status, message, code, param }: WireRejection) {
  return errorBody(message, {
    code: code ?? (status === 401 ? "invalid_api_key" : null),
    param: param ?? null,
  });
}

/** Statuses and wordings: https://platform.openai.com/docs/guides/error-codes (2026-11). */
export function problemBody(problem: WireProblem) {
  switch (problem.kind) {
    case "rate_limit": {
      const message = problem.message ?? "Rate limit reached for requests. Please try again later.";
      return { status: 429, body: errorBody(message, { type: "requests", code: "rate_limit_exceeded" }) };
    }
    case "quota": {
      const message = "You exceeded your current quota, please check your plan and billing details.";
      return {
        status: 429,
        body: errorBody(message, { type: "insufficient_quota", code: "insufficient_quota" }),
      };
    }
    case "overflow": {
      const { promptTokens = 0, outputTokens } = problem;
      const excess =
        outputTokens === undefined
          ? `your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`
          : `you requested ${promptTokens + outputTokens} tokens (${promptTokens} in the messages, ${outputTokens} in the completion). Please reduce the length of the messages or completion.`;
      const message = `This model's maximum context length is ${problem.contextWindow} tokens. However, ${excess}`;
      return {
        status: 400,
        body: errorBody(message, { param: "messages", code: "context_length_exceeded" }),
      };
    }
    case "status": {
      const status = problem.status ?? 500;
      const type = status >= 500 ? "server_error" : "invalid_request_error";
      return { status, body: errorBody(problem.message ?? `Status ${status}`, { type }) };
    }
  }
}
