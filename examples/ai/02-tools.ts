import {
  createClient,
  type Message,
  type ToolSpec,
  textOf,
  toolCallsOf,
  validateToolArguments,
} from "@coppice/ai";
import { createScriptedProvider, scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";

const height: ToolSpec = {
  name: "height",
  description: "The height of a tree in metres.",
  parameters: Type.Object({ tree: Type.String() }),
};

const provider = createScriptedProvider([
  [scriptedToolCall("height", { tree: "oak" }), scriptedToolCall("height", { wood: "ash" })],
  "An oak is 25 m high.",
]);
const client = createClient({ providers: { scripted: provider } });
const messages: Message[] = [{ role: "user", content: "How high is an oak?", timestamp: Date.now() }];

// A whole loop, with queues, hooks and parallel tools, is `@coppice/agent`; this is what it is made of.
for (;;) {
  const answer = await client.complete({ model: scriptedModel(), tools: [height], messages });
  messages.push(answer);
  const calls = toolCallsOf(answer);
  if (calls.length === 0) {
    console.log(textOf(answer.content));
    break;
  }
  for (const call of calls) {
    const check = await validateToolArguments(height, call.arguments);
    const text = check.ok ? "25" : check.message;
    console.log(`${call.name}(${JSON.stringify(call.arguments)}): ${check.ok ? text : "refused"}`);
    messages.push({
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text }],
      isError: !check.ok,
      timestamp: Date.now(),
    });
  }
}
