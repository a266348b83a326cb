import { Agent } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedStream } from "@coppice/ai/testing";

// With a real model: `createClient({ providers, apiKeyFor }).stream` and a model of your provider.
const agent = new Agent({
  streamFunction: scriptedStream(["A coppice is a wood that is cut back so that it grows again."]),
  model: scriptedModel(),
  systemPrompt: "Answer in one sentence.",
});

await agent.prompt("What is a coppice?");

for (const message of agent.state.messages) {
  if (message.role === "user" || message.role === "assistant") {
    console.log(`${message.role}: ${textOf(message.content as string)}`);
  }
}
