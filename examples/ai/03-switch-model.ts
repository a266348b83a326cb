import { builtinProviders, createClient, type Message, textOf } from "@coppice/ai";
import { createWireServer, scriptedText, scriptedThinking } from "@coppice/ai/testing";

// One history goes to four wire formats in turn. The server refuses what the real ones refuse.
await using server = await createWireServer({
  answers: (request) => [scriptedThinking("A word."), scriptedText(`${request.api} was here.`)],
});
const client = createClient({ providers: builtinProviders, apiKeyFor: () => server.apiKey });

const messages: Message[] = [];
for (const api of Object.keys(builtinProviders)) {
  messages.push({ role: "user", content: "Who is there?", timestamp: Date.now() });
  const answer = await client.complete({
    model: server.model(api, { reasoning: true }),
    thinkingLevel: "low",
    messages,
  });
  messages.push(answer);
  console.log(answer.error?.message ?? textOf(answer.content));
}
console.log(`refused: ${server.rejections.length}`);
