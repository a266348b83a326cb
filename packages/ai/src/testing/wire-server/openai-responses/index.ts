import { problemBody, refusalBody } from "../openai/error-body.ts";
import type { WireFormat } from "../wire-format.ts";
import { responseFrames, wholeResponse } from "./events.ts";
import { createIssuedItems } from "./issued-items.ts";
import { measureResponsesRequest, readResponsesRequest } from "./read.ts";
import { validateResponsesRequest } from "./validate.ts";

/** `openai-responses`: `POST /v1/responses`. Nothing is stored: each request carries its whole input. */
export function openaiResponsesFormat(options: { readonly seed: string }): WireFormat {
  const issued = createIssuedItems(options.seed);
  return {
    api: "openai-responses",
    basePath: "/v1",
    matches: (method, path) => method === "POST" && path === "/v1/responses",
    keyOf: (headers) => headers.authorization?.replace(/^Bearer /, ""),
    validate: (body, limits) => validateResponsesRequest(body, limits, issued),
    read: readResponsesRequest,
    measure: measureResponsesRequest,
    frames: (reply) => responseFrames(reply, issued),
    whole: (reply) => wholeResponse(reply, issued),
    problem: problemBody,
    refusal: refusalBody,
    errorFrame: () => {
      const error = { code: "server_error", message: "The server had an error processing your request." };
      const response = { object: "response", status: "failed", error, output: [] };
      return { event: "response.failed", data: JSON.stringify({ type: "response.failed", response }) };
    },
  };
}
