import type { JsonObject } from "../json-shape.ts";
import type { WireFormat } from "../wire-format.ts";
import { responseChunks, wholeResponse } from "./chunks.ts";
import { badKey, errorBody, problemBody, refusalBody } from "./error-body.ts";
import { measureContentRequest, readContentRequest } from "./read.ts";
import { createThoughts, type ThoughtSignatures } from "./thoughts.ts";
import { validateContentRequest } from "./validate.ts";

export type { ThoughtSignatures } from "./thoughts.ts";

const ENDPOINT = /^\/v1beta\/(?:models|tunedModels)\/[^/:]+:(?:generateContent|streamGenerateContent)$/;

/** `google-generative-ai`: `POST /v1beta/models/{model}:streamGenerateContent?alt=sse` and `:generateContent`. */
export function googleGenerativeAiFormat(options: {
  readonly seed: string;
  readonly thoughtSignatures: ThoughtSignatures;
}): WireFormat {
  const thoughts = createThoughts(options);
  return {
    api: "google-generative-ai",
    basePath: "/v1beta",
    matches: (method, path) => method === "POST" && ENDPOINT.test(path),
    keyOf: (headers) => headers["x-goog-api-key"],
    badKey,
    validate: (body, limits) => validateContentRequest(body, limits, thoughts),
    read: readContentRequest,
    measure: measureContentRequest,
    models: { path: "/v1beta/models", list: listModels },
    frames: (reply) => responseChunks(reply, thoughts),
    whole: (reply) => wholeResponse(reply, thoughts),
    problem: problemBody,
    refusal: refusalBody,
    errorFrame: () => ({
      data: JSON.stringify(errorBody(503, "The model is overloaded. Please try again later.")),
    }),
  };
}

function listModels(
  ids: readonly string[],
  limits: { readonly contextWindow: number; readonly maxOutputTokens: number },
): JsonObject {
  return {
    models: ids.map((id) => ({
      name: `models/${id}`,
      version: "001",
      displayName: id,
      inputTokenLimit: limits.contextWindow,
      outputTokenLimit: limits.maxOutputTokens,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    })),
  };
}
