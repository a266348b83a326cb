import { Agent, type AgentTool } from "@coppice/agent";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";

const parameters = Type.Object({ city: Type.String() });
const weather: AgentTool<typeof parameters> = {
  name: "weather",
  description: "The weather of a city.",
  parameters,
  execute: async (_toolCallId, { city }) => ({ content: [{ type: "text", text: `${city}: rain` }] }),
};

const agent = new Agent({
  streamFunction: scriptedStream([scriptedToolCall("weather", { city: "Ghent" }), "Take an umbrella."]),
  model: scriptedModel(),
  tools: [weather],
});
agent.subscribe((event) => console.log(event.type));
await agent.prompt("What is it like in Ghent?");
