import type { WireFormat, WireProblem } from "../wire-format.ts";
import { completionChunks, wholeCompletion } from "./chunks.ts";
import { measureCompletionsRequest, readCompletionsRequest } from "./read.ts";
import { validateCompletionsRequest } from "./validate.ts";

/** Which replayed reasoning the server takes: what it sent itself, any, or none as official OpenAI does. */
export type ReasoningReplay = "issued" | "any" | "never";

interface ErrorDetails {
  readonly type?: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

const errorBody = (message: string, details: ErrorDetails = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...details },
});

/** `openai-completions`: `POST /v1/chat/completions`. */
export function openaiCompletionsFormat(options: { readonly reasoningReplay: ReasoningReplay }): WireFormat {
  const issued = new Set<string>();
  const isIssued = (reasoning: string) =>
    options.reasoningReplay === "any" || (options.reasoningReplay === "issued" && issued.has(reasoning));
  const remember = (content: readonly { readonly type: string; readonly thinking?: string }[]) => {
    const texts = content.filter((block) => block.type === "thinking").map((block) => block.thinking ?? "");
    // A message has one reasoning field, so a client may send several blocks back as one text.
    for (const text of [...texts, texts.join(""), texts.join("\n"), texts.join("\n\n")]) issued.add(text);
  };
  return {
    api: "openai-completions",
    basePath: "/v1",
    matches: (method, path) => method === "POST" && path === "/v1/chat/completions",
    keyOf: (headers) => headers.authorization?.replace(/^Bearer /, ""),
    validate: (body, limits) => validateCompletionsRequest(body, limits, isIssued),
    read: readCompletionsRequest,
    measure: measureCompletionsRequest,
    frames: (reply) => {
      remember(reply.answer.content);
      return completionChunks(reply);
    },
    whole: (reply) => {
      remember(reply.answer.content);
      return wholeCompletion(reply);
    },
    problem: describeProblem,
    refusal: ({ status, message, code, param }) =>
      errorBody(message, {
        code: code ?? (status === 401 ? "invalid_api_key" : null),
        param: param ?? null,
      }),
    errorFrame: () => ({
      data: JSON.stringify(
        errorBody("The server had an error while processing your request. Sorry about that!", {
          type: "server_error",
        }),
      ),
    }),
  };
}

/** Statuses and wordings: https://platform.openai.com/docs/guides/error-codes (2026-11). */
function describeProblem(problem: WireProblem) {
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
      const message = `This model's maximum context length is ${problem.contextWindow} tokens. However, your messages resulted in ${problem.promptTokens} tokens. Please reduce the length of the messages.`;
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
