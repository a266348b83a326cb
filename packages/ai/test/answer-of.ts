import { builtinProviders } from "../src/builtin-providers.ts";
import { createClient } from "../src/client.ts";
import type { AssistantMessage } from "../src/message.ts";
import type { Model } from "../src/model.ts";
import type { ChatRequest } from "../src/request.ts";
import type { StreamEvent } from "../src/stream-event.ts";
import { TARGET } from "./arbitrary-history.ts";

/** What becomes of a stream of the given bytes in the format of `api`. */
export async function answerOf(
  api: string,
  bytes: string,
  patch: { readonly model?: Partial<Model>; readonly request?: Partial<ChatRequest> } = {},
): Promise<{ readonly message: AssistantMessage; readonly events: readonly StreamEvent[] }> {
  let ids = 0;
  const client = createClient({
    providers: builtinProviders,
    fetch: async () => new Response(bytes, { headers: { "content-type": "text/event-stream" } }),
    now: () => 1,
    newId: () => `id${++ids}`,
  });
  const events: StreamEvent[] = [];
  const stream = client.stream({
    model: { ...TARGET, api, baseUrl: "http://fixture.invalid/v1", ...patch.model },
    messages: [{ role: "user", content: "go", timestamp: 1 }],
    ...patch.request,
  });
  for await (const event of stream) events.push(event);
  return { message: await stream.result(), events };
}

/** A whole short answer of each format with the given usage and reason of the stop, as server-sent events. */
export const ANSWERS: Readonly<Record<string, (options: { usage?: unknown; stop?: string }) => string>> = {
  "anthropic-messages": ({ usage = {}, stop = "end_turn" }) =>
    frames(
      { type: "message_start", message: { id: "m", usage } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: stop }, usage: {} },
      { type: "message_stop" },
    ),
  "openai-responses": ({ usage = {}, stop = "completed" }) =>
    frames(
      { type: "response.created", response: { id: "m" } },
      { type: "response.output_text.delta", output_index: 0, delta: "Hi" },
      stop === "completed"
        ? { type: "response.completed", response: { id: "m", usage } }
        : { type: "response.incomplete", response: { id: "m", usage, incomplete_details: { reason: stop } } },
    ),
  "openai-completions": ({ usage = {}, stop = "stop" }) =>
    frames(
      { id: "m", choices: [{ delta: { content: "Hi" } }] },
      { id: "m", choices: [{ delta: {}, finish_reason: stop }], usage },
    ),
  "google-generative-ai": ({ usage = {}, stop = "STOP" }) =>
    frames({
      responseId: "m",
      candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: stop }],
      usageMetadata: usage,
    }),
};

/** Server-sent events of the given objects. */
export function frames(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}
