import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyHistory, TARGET } from "../../test/arbitrary-history.ts";
import { builtinProviders } from "../builtin-providers.ts";
import { createClient } from "../client.ts";
import type { ChatRequest } from "../request.ts";
import { createWireServer } from "../testing/index.ts";

const TOOL = { name: "read", description: "Reads.", parameters: { type: "object", properties: {} } };
const NEXT = { role: "user", content: "next", timestamp: 9 } as const;

describe.each(Object.keys(builtinProviders))("%s", (api) => {
  test("AI-01, AI-02, AI-03, AI-08: no history makes the server refuse the request", async () => {
    await using server = await createWireServer({
      answers: () => ({ content: [{ type: "text", text: "ok" }] }),
    });
    const client = createClient({ providers: builtinProviders, apiKeyFor: () => server.apiKey });
    const model = server.model(api, { reasoning: false });
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.boolean(), fc.boolean(), async (history, hasTools, isInPlace) => {
        // As the target's own: whatever it signed is given back, which the server cannot know, so thinking is foreign.
        const messages = history.map((message) =>
          message.role === "assistant" && message.model === TARGET.id
            ? {
                ...message,
                provider: model.provider,
                api: model.api,
                model: model.id,
                content: message.content.filter((block) => block.type !== "thinking"),
              }
            : message,
        );
        const request: ChatRequest = {
          model: { ...model, quirks: { supportsMidConvoSystemMessages: isInPlace } },
          messages: [...messages, NEXT],
          ...(hasTools ? { tools: [TOOL] } : {}),
        };
        const answer = await client.complete(request);
        expect(server.rejections).toEqual([]);
        expect(answer.errorMessage).toBeUndefined();
      }),
      { numRuns: 80 },
    );
  });

  test("AI-48: a request with one more turn begins with the bytes of the one before, cache markers aside", async () => {
    const bodies: string[] = [];
    const client = createClient({
      providers: builtinProviders,
      fetch: async (_url, init) => {
        const { messages, input, contents, ...rest } = JSON.parse(String(init?.body), (key, value) =>
          key === "cache_control" ? undefined : value,
        );
        bodies.push(JSON.stringify({ ...rest, history: messages ?? input ?? contents }));
        return new Response("", { headers: { "content-type": "text/event-stream" } });
      },
    });
    const model = { ...TARGET, api };
    const history = Array.from({ length: 40 }, (_, at) => [
      { role: "user" as const, content: `question ${at}`, timestamp: at },
      {
        role: "assistant" as const,
        content: [{ type: "toolCall" as const, id: `call|${at}`, name: "read", arguments: { at } }],
        api: "other",
        provider: "other",
        model: "other",
        usage: {
          input: 0,
          output: 0,
          cacheRead: 0,
          cacheWrite: 0,
          totalTokens: 0,
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
        },
        stopReason: "toolUse" as const,
        timestamp: at,
      },
    ]).flat();
    for (const length of [41, 43, 79]) {
      await client.complete({
        model,
        systemPrompt: "sys",
        tools: [TOOL],
        messages: history.slice(0, length),
      });
    }
    const [first = "", second = "", third = ""] = bodies.map((body) => body.replace(/\]\}$/, ""));
    expect(second.startsWith(first)).toBe(true);
    expect(third.startsWith(second)).toBe(true);
  });
});
