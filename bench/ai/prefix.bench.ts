import {
  type AssistantMessage,
  builtinProviders,
  createClient,
  type Message,
  type Model,
  ZERO_USAGE,
} from "@coppice/ai";

/**
 * Building requests from a history of 2,001 messages, the last of them a tool result: the time a build takes, and how much of the body the next one,
 * with one more message, begins with (cache markers taken out; 1 = all of it).
 */
const MESSAGES = 2001;

const model = (api: string): Model => ({
  id: "m",
  name: "m",
  api,
  provider: "bench",
  baseUrl: "http://bench.invalid/v1",
  reasoning: true,
  input: ["text", "image"],
  contextWindow: 1_000_000,
  maxTokens: 1000,
  cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
});

function history(api: string): readonly Message[] {
  const messages: Message[] = [];
  for (let at = 0; messages.length <= MESSAGES; at++) {
    const call: AssistantMessage = {
      role: "assistant",
      content: [
        { type: "text", text: `Step ${at}: looking.` },
        { type: "toolCall", id: `call_${at}|fc_${at}`, name: "read", arguments: { path: `src/${at}.ts` } },
      ],
      api,
      provider: "bench",
      model: "m",
      usage: ZERO_USAGE,
      stopReason: "toolUse",
      timestamp: at,
    };
    messages.push({ role: "user", content: `Question ${at}: ${"why? ".repeat(40)}`, timestamp: at }, call, {
      role: "toolResult",
      toolCallId: `call_${at}|fc_${at}`,
      toolName: "read",
      content: [{ type: "text", text: "line of code\n".repeat(80) }],
      isError: false,
      timestamp: at,
    });
  }
  return messages.slice(0, MESSAGES + 1);
}

const rows = [];
for (const api of Object.keys(builtinProviders)) {
  const bodies: string[] = [];
  const client = createClient({
    providers: builtinProviders,
    fetch: async (_url, init) => {
      bodies.push(String(init?.body));
      return new Response("", { headers: { "content-type": "text/event-stream" } });
    },
  });
  const messages = history(api);
  const times: number[] = [];
  // Warm-up first; the last two builds are compared.
  for (const length of [MESSAGES, MESSAGES, MESSAGES, MESSAGES, MESSAGES + 1]) {
    const start = performance.now();
    await client.complete({
      model: model(api),
      systemPrompt: "Be careful.",
      messages: messages.slice(0, length),
    });
    times.push(performance.now() - start);
  }
  const [before = "", after = ""] = bodies.slice(-2).map(historyBytes);
  rows.push({
    api,
    "body MB": (before.length / 1e6).toFixed(2),
    "build ms": Math.min(...times.slice(1)).toFixed(1),
    "shared prefix": (sharedLength(before, after) / before.length).toFixed(4),
  });
}
console.table(rows);

/** The messages of a body as they stand in it, without cache markers and without the end of their list. */
function historyBytes(body: string): string {
  const { messages, input, contents } = JSON.parse(body, (key, value) =>
    key === "cache_control" ? undefined : value,
  );
  return JSON.stringify(messages ?? input ?? contents).slice(0, -1);
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
