import { builtinProviders, createClient, retryMiddleware, textOf } from "@coppice/ai";
import { createWireServer, wireFault } from "@coppice/ai/testing";

await using server = await createWireServer({
  answers: [
    wireFault({ kind: "rate_limit", retryAfter: "0" }),
    wireFault({ kind: "reset" }),
    "Here I am.",
    wireFault({ kind: "quota" }),
  ],
});
const client = createClient({
  providers: builtinProviders,
  apiKeyFor: () => server.apiKey,
  middleware: [
    retryMiddleware({
      onRetry: ({ attempt, message }) => console.log(`attempt ${attempt} failed: ${message.error?.code}`),
      // Without this line the waits are real.
      wait: async () => {},
    }),
  ],
});
const ask = () =>
  client.complete({
    model: server.model("anthropic-messages"),
    messages: [{ role: "user", content: "Are you there?", timestamp: Date.now() }],
  });

console.log(textOf((await ask()).content));
// What a repetition cannot mend ends at once, with a code to decide on and a text to show.
const { error } = await ask();
console.log(error?.code, error?.retryable);
