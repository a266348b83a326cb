import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtinProviders } from "./builtin-providers.ts";
import { createClient } from "./client.ts";
import type { AssistantMessage, Message } from "./message.ts";
import type { Model } from "./model.ts";
import { ZERO_USAGE } from "./usage.ts";

const REFUSALS: Readonly<Record<string, object>> = {
  "anthropic-messages": {
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "messages.1.content.0: Invalid `signature` in `thinking` block",
    },
  },
  "openai-responses": {
    error: { code: "invalid_encrypted_content", message: "The encrypted content x could not be verified." },
  },
  "openai-completions": { error: { code: 400, message: "Invalid signature in thinking block" } },
  "google-generative-ai": {
    error: { code: 400, status: "INVALID_ARGUMENT", message: "Corrupted thought signature." },
  },
};

const SIGNATURES: Readonly<Record<string, string>> = {
  "openai-responses": '{"type":"reasoning","summary":[],"encrypted_content":"OLD"}',
  "openai-completions": '[{"type":"reasoning.encrypted","data":"OLD"}]',
};

describe.each(Object.keys(builtinProviders))("%s", (api) => {
  const model: Model = {
    id: "m",
    name: "m",
    api,
    provider: "p",
    baseUrl: "http://fixture.invalid/v1",
    reasoning: true,
    input: ["text"],
    contextWindow: 100_000,
    maxTokens: 1000,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const thought = (signature: string): AssistantMessage => ({
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", thinkingSignature: signature },
      { type: "text", text: "Answer" },
    ],
    api,
    provider: "p",
    model: "m",
    usage: ZERO_USAGE,
    stopReason: "stop",
    timestamp: 2,
  });
  const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
  const stream = readFileSync(join(import.meta.dirname, `../fixtures/${api}/text/response.sse`));
  const signature = SIGNATURES[api] ?? "OLD";
  const history = [user("a"), thought(signature), user("b")];

  /** A client whose server refuses requests that hold `OLD`, or the first `refusals` ones. */
  function clientFor(refuses: (body: string, count: number) => boolean) {
    const bodies: string[] = [];
    const client = createClient({
      providers: builtinProviders,
      fetch: async (_url, init) => {
        const body = String(init?.body);
        bodies.push(body);
        return refuses(body, bodies.length)
          ? Response.json(REFUSALS[api], { status: 400 })
          : new Response(stream, { headers: { "content-type": "text/event-stream" } });
      },
    });
    return { client, bodies };
  }

  test("AI-06: a refused signature leads to one resend without it, and is not sent again", async () => {
    const { client, bodies } = clientFor((body) => body.includes("OLD"));
    const events: string[] = [];
    const answer = client.stream({ model, messages: history });
    for await (const event of answer) events.push(event.type);
    expect(events[0]).toBe("start");
    expect((await answer.result()).stopReason).toBe("stop");
    expect(bodies.map((body) => [body.includes("OLD"), body.includes("Answer")])).toEqual([
      [true, true],
      [false, true],
    ]);
    const next = [...history, thought(signature.replace("OLD", "NEW")), user("c")];
    expect((await client.complete({ model, messages: next })).stopReason).toBe("stop");
    expect(bodies.length).toBe(3);
    expect([bodies[2]?.includes("OLD"), bodies[2]?.includes("NEW")]).toEqual([false, true]);
  });

  test("AI-06: a second refusal is the answer", async () => {
    const { client, bodies } = clientFor(() => true);
    const answer = await client.complete({ model, messages: history });
    expect(answer.error).toMatchObject({ code: "rejected_signature", retryable: false, status: 400 });
    expect(bodies.length).toBe(2);
  });

  test("a refusal of a request without signatures is the answer at once", async () => {
    const { client, bodies } = clientFor(() => true);
    expect((await client.complete({ model, messages: [user("a")] })).error?.code).toBe("rejected_signature");
    expect(bodies.length).toBe(1);
  });
});
