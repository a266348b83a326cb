import {
  type ChatRequest,
  createMessageStream,
  failureEvent,
  type Model,
  type Provider,
  textOf,
  usageWithCost,
} from "@coppice/ai";
import type { Extension } from "@coppice/coding-agent";

/** A wire API that needs no network: the answer is the question. */
const provider: Provider = {
  api: "echo",
  stream: (request, io) =>
    createMessageStream({
      abort: () => {},
      onFailure: (error) =>
        failureEvent({ request, error, aborted: request.signal?.aborted ?? false, now: io.now() }),
      async *events() {
        const block = { type: "text" as const, text: questionOf(request) };
        const { api, provider: vendor, id } = request.model;
        const usage = usageWithCost({ input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, request.model);
        const message = {
          ...{ role: "assistant" as const, content: [], api, provider: vendor, model: id, usage },
          ...{ stopReason: "stop" as const, timestamp: io.now() },
        };
        yield { type: "start", message };
        yield { type: "text_start", contentIndex: 0 };
        yield { type: "text_delta", contentIndex: 0, delta: block.text };
        yield { type: "text_end", contentIndex: 0, block };
        yield { type: "done", message: { ...message, content: [block] } };
      },
    }),
};

const model: Model = {
  ...{ id: "parrot", name: "Parrot", provider: "echo", api: "echo", baseUrl: "http://localhost" },
  ...{ reasoning: false, input: ["text"], contextWindow: 100_000, maxTokens: 10_000 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

function questionOf({ messages }: ChatRequest): string {
  const question = messages.findLast(({ role }) => role === "user");
  return question?.role === "user" ? textOf(question.content) : "";
}

const echoProvider: Extension = {
  name: "echo-provider",
  setup(api) {
    api.registerProvider(provider);
    api.registerModel(model);
  },
};

export default echoProvider;
