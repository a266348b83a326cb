import {
  type ChatRequest,
  createMessageStream,
  failureEvent,
  type Provider,
  textOf,
  usageWithCost,
} from "@coppice/ai";

/** A provider of a wire format that does not exist: it answers with what it was asked. */
export const echo: Provider = {
  api: "echo",
  stream: (request, io) =>
    createMessageStream({
      abort: () => {},
      onFailure: (error) =>
        failureEvent({ request, error, aborted: request.signal?.aborted ?? false, now: io.now() }),
      async *events() {
        const text = lastText(request);
        const message = {
          role: "assistant" as const,
          content: [],
          api: request.model.api,
          provider: request.model.provider,
          model: request.model.id,
          usage: usageWithCost({ input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, request.model),
          stopReason: "stop" as const,
          timestamp: io.now(),
        };
        const block = { type: "text" as const, text };
        yield { type: "start", message };
        yield { type: "text_start", contentIndex: 0 };
        for (const word of text.split(/(?<= )/)) yield { type: "text_delta", contentIndex: 0, delta: word };
        yield { type: "text_end", contentIndex: 0, block };
        yield { type: "done", message: { ...message, content: [block] } };
      },
    }),
};

function lastText({ messages }: ChatRequest): string {
  const last = messages.at(-1);
  if (last?.role !== "user" || textOf(last.content) === "") throw new Error("There is nothing to echo.");
  return textOf(last.content);
}
