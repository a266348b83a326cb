import { expect, test } from "vitest";
import { builtinProviders } from "../../builtin-providers.ts";
import { createClient } from "../../client.ts";
import type { Message } from "../../message.ts";
import { createWireServer, scriptedThinking, scriptedToolCall } from "../../testing/index.ts";

const TOOL = { name: "read", description: "Reads.", parameters: { type: "object", properties: {} } };
const user: Message = { role: "user", content: "go", timestamp: 1 };
const resultFor = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "r" }],
  isError: false,
  timestamp: 2,
});

test.each([
  {
    name: "goes on thinking where its own call began with thinking",
    thinks: true,
    other: false,
    budget: "enabled",
  },
  { name: "does not think where another model made the call", thinks: true, other: true, budget: "disabled" },
])("AI-47: a turn under a budget $name", async ({ thinks, other, budget }) => {
  await using server = await createWireServer({
    answers: [[...(thinks ? [scriptedThinking("hm")] : []), scriptedToolCall("read", {}, "c1")], "done"],
    thinkingStartsToolTurns: true,
  });
  const bodies: { thinking?: { type: string } }[] = [];
  const client = createClient({
    providers: builtinProviders,
    apiKeyFor: () => server.apiKey,
    fetch: (url, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return fetch(url, init);
    },
  });
  const ask = { tools: [TOOL], thinkingLevel: "low" } as const;
  const model = server.model("anthropic-messages", { reasoning: true });
  const first = await client.complete({ ...ask, model, messages: [user] });
  const second = await client.complete({
    ...ask,
    model: other ? { ...model, id: "another" } : model,
    messages: [user, first, resultFor("c1")],
  });
  expect(second.stopReason).toBe("stop");
  expect(bodies[1]?.thinking?.type).toBe(budget);
  expect(server.rejections).toEqual([]);
});
