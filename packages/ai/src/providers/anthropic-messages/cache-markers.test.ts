import { expect, test } from "vitest";
import { TARGET } from "../../../test/arbitrary-history.ts";
import type { Message } from "../../message.ts";
import type { ChatRequest } from "../../request.ts";
import { ZERO_USAGE } from "../../usage.ts";
import { encode } from "./encode.ts";

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const called: readonly Message[] = [
  {
    role: "assistant",
    content: [{ type: "toolCall", id: "t1", name: "read", arguments: {} }],
    api: TARGET.api,
    provider: TARGET.provider,
    model: TARGET.id,
    usage: ZERO_USAGE,
    stopReason: "toolUse",
    timestamp: 2,
  },
  {
    role: "toolResult",
    toolCallId: "t1",
    toolName: "read",
    content: [{ type: "text", text: "r" }],
    isError: false,
    timestamp: 3,
  },
];
const tool = (name: string) => ({ name, description: "d", parameters: { type: "object", properties: {} } });
const REQUEST: ChatRequest = {
  model: TARGET,
  systemPrompt: "sys",
  tools: [tool("a"), tool("b")],
  messages: [user("one"), ...called, user("two"), ...called],
};

/** Paths of the blocks that carry a marker, with the marker. */
function markers(request: ChatRequest): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const walk = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === "cache_control") found[path] = child;
      else walk(child, path === "" ? key : `${path}.${key}`);
    }
  };
  walk(encode(request), "");
  return found;
}

test("AI-49: markers stand on the system prompt, the last tool and the last two user messages, results included", () => {
  const short = { type: "ephemeral" };
  expect(markers(REQUEST)).toEqual({
    "system.0": short,
    "tools.1": short,
    "messages.2.content.1": short,
    "messages.4.content.0": short,
  });
});

test("AI-49: a message that is one string has a marker too", () => {
  expect(markers({ model: TARGET, messages: [user("one")] })).toEqual({
    "messages.0.content.0": { type: "ephemeral" },
  });
});

test.each([
  { name: "none", request: { cacheRetention: "none" }, marker: undefined },
  { name: "long", request: { cacheRetention: "long" }, marker: { type: "ephemeral", ttl: "1h" } },
  {
    name: "long where the server has none",
    request: { cacheRetention: "long", model: { ...TARGET, quirks: { supportsLongCacheRetention: false } } },
    marker: { type: "ephemeral" },
  },
  {
    name: "short, but not on tools",
    request: { tools: [tool("a")], model: { ...TARGET, quirks: { supportsCacheControlOnTools: false } } },
    marker: { type: "ephemeral" },
  },
] as const)("retention $name", ({ request, marker }) => {
  const found = markers({ ...REQUEST, ...request } as ChatRequest);
  expect(found["system.0"]).toEqual(marker);
  if ("tools" in request) expect(found["tools.0"]).toBeUndefined();
});
