import { type AssistantMessage, type ChatRequest, type Model, ZERO_COST } from "@coppice/ai";
import { assistantMessage, usageOf } from "./paths.ts";

/** An answer of the scripted summariser: text, a whole message, or a function of the request. */
export type ScriptedSummary =
  | string
  | AssistantMessage
  | ((request: ChatRequest) => string | AssistantMessage);

export interface ScriptedComplete {
  readonly complete: (request: ChatRequest) => Promise<AssistantMessage>;
  /** What was asked, oldest first. */
  readonly requests: readonly ChatRequest[];
}

/** A `complete` that answers from a list; the last answer goes on for ever. Without answers: `goodSummary()`. */
export function scriptedComplete(...answers: readonly ScriptedSummary[]): ScriptedComplete {
  const requests: ChatRequest[] = [];
  return {
    requests,
    async complete(request) {
      requests.push(request);
      const next = answers[Math.min(requests.length, answers.length) - 1] ?? goodSummary();
      const answer = typeof next === "function" ? next(request) : next;
      return typeof answer === "string"
        ? assistantMessage(answer, { usage: usageOf({ input: 100, output: 20 }) })
        : answer;
    },
  };
}

/** A summary of the right shape. */
export function goodSummary(goal = "Do the work."): string {
  return `## Goal\n${goal}\n\n## Progress\n### Done\n- [x] Something.\n\n## Next Steps\n1. Go on.`;
}

/** A made-up model; the window is the usual thing to change. */
export function testModel(fields: Partial<Model> = {}): Model {
  return {
    id: "test-model",
    name: "Test model",
    api: "test",
    provider: "test",
    baseUrl: "http://127.0.0.1",
    reasoning: false,
    input: ["text"],
    contextWindow: 200_000,
    maxTokens: 8192,
    cost: ZERO_COST,
    ...fields,
  };
}

/** The text of the one user message of a summary request. */
export function requestText(request: ChatRequest | undefined): string {
  const content = request?.messages[0]?.content;
  return typeof content === "string" ? content : "";
}
