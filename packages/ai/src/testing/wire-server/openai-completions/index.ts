import { errorBody, problemBody, refusalBody } from "../openai/error-body.ts";
import type { WireFormat } from "../wire-format.ts";
import { completionChunks, wholeCompletion } from "./chunks.ts";
import { measureCompletionsRequest, readCompletionsRequest } from "./read.ts";
import { validateCompletionsRequest } from "./validate.ts";

/** Which replayed reasoning the server takes: what it sent itself, any, or none as official OpenAI does. */
export type ReasoningReplay = "issued" | "any" | "never";

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
    countedOutput: (body) => Number(body.max_completion_tokens ?? body.max_tokens ?? 0),
    frames: (reply) => {
      remember(reply.answer.content);
      return completionChunks(reply);
    },
    whole: (reply) => {
      remember(reply.answer.content);
      return wholeCompletion(reply);
    },
    problem: problemBody,
    refusal: refusalBody,
    errorFrame: () => ({
      data: JSON.stringify(
        errorBody("The server had an error while processing your request. Sorry about that!", {
          type: "server_error",
        }),
      ),
    }),
  };
}
