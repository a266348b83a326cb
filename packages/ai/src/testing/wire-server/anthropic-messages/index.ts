import type { WireFormat, WireProblem } from "../wire-format.ts";
import { messageFrames, wholeMessage } from "./frames.ts";
import { measureMessagesRequest, readMessagesRequest } from "./read.ts";
import { createSignatures } from "./signatures.ts";
import { validateMessagesRequest } from "./validate.ts";

/** Error types by status: https://platform.claude.com/docs/en/api/errors (2026-11). */
const ERROR_TYPE: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const MESSAGE: Readonly<Record<number, string>> = {
  429: "This request would exceed your organization's rate limit. Please try again later.",
  500: "Internal server error",
  529: "Overloaded",
};

const errorBody = (status: number, message: string) => ({
  type: "error",
  error: { type: ERROR_TYPE[status] ?? "api_error", message },
  request_id: null,
});

/** `anthropic-messages`: `POST /v1/messages`. The seed decides whose signatures are known. */
export function anthropicMessagesFormat(options: { readonly seed: string }): WireFormat {
  const signatures = createSignatures(options.seed);
  return {
    api: "anthropic-messages",
    basePath: "",
    matches: (method, path) => method === "POST" && path === "/v1/messages",
    keyOf: (headers) => headers["x-api-key"] ?? headers.authorization?.replace(/^Bearer /, ""),
    validate: (body, limits) => validateMessagesRequest(body, limits, signatures),
    read: readMessagesRequest,
    measure: measureMessagesRequest,
    countedOutput: (body) => Number(body.max_tokens),
    frames: (reply) => messageFrames(reply, signatures),
    whole: (reply) => wholeMessage(reply, signatures),
    problem: describeProblem,
    refusal: ({ status, message }) => errorBody(status, message),
    errorFrame: () => ({ event: "error", data: JSON.stringify(errorBody(529, "Overloaded")) }),
    keepAlive: { event: "ping", data: '{"type":"ping"}' },
  };
}

function describeProblem(problem: WireProblem) {
  const reply = (status: number, message: string) => ({ status, body: errorBody(status, message) });
  switch (problem.kind) {
    case "rate_limit":
      return reply(429, problem.message ?? MESSAGE[429] ?? "");
    case "quota":
      return reply(
        400,
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
      );
    case "overflow":
      if (problem.outputTokens !== undefined)
        return reply(
          400,
          `input length and \`max_tokens\` exceed context limit: ${problem.promptTokens} + ${problem.outputTokens} > ${problem.contextWindow}, decrease input length or \`max_tokens\` and try again`,
        );
      return reply(
        400,
        `prompt is too long: ${problem.promptTokens} tokens > ${problem.contextWindow} maximum`,
      );
    case "status": {
      const status = problem.status ?? 500;
      return reply(status, problem.message ?? MESSAGE[status] ?? `Status ${status}`);
    }
  }
}
