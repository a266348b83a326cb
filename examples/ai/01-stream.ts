import { createClient, textOf } from "@coppice/ai";
import { createScriptedProvider, scriptedModel, scriptedThinking } from "@coppice/ai/testing";

// With a real model: `providers: builtinProviders`, a key in `apiKeyFor`, and a model of `findModel("sonnet")`.
const provider = createScriptedProvider([
  [scriptedThinking("Three of them."), { type: "text", text: "Ash, hazel, oak." }],
]);
const client = createClient({ providers: { scripted: provider } });

const stream = client.stream({
  model: scriptedModel(),
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: "Name three trees.", timestamp: Date.now() }],
});
let text = "";
for await (const event of stream) {
  if (event.type === "text_delta") text += event.delta;
  if (event.type === "thinking_end") console.log(`thought: ${event.block.thinking}`);
}

const answer = await stream.result();
console.log(`answer: ${text}`);
console.log(`the same at the end: ${textOf(answer.content) === text}, ${answer.stopReason}`);
