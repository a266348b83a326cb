import { Agent, type AgentMessage } from "@coppice/agent";
import { scriptedTool } from "@coppice/agent/testing";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: Date.now() });
const search = scriptedTool("search");

const agent = new Agent({
  streamFunction: scriptedStream([
    scriptedToolCall("search", { for: "oak" }),
    "Then I look for ash.",
    "Summary: oak was found, ash was asked for.",
    "never asked for",
  ]),
  model: scriptedModel(),
  tools: [search],
});

const run = agent.prompt("Find oak.");
const call = await search.started(0);
// Steering waits for the open tool and enters before the next request; a follow-up waits for the end.
agent.steer(user("Ash, please, not oak."));
agent.followUp(user("Sum it up."));
call.finish("3 oaks");
await run;

for (const message of agent.state.messages) {
  if (message.role === "user" || message.role === "assistant" || message.role === "toolResult") {
    console.log(`${message.role}: ${textOf(message.content as string) || "(a tool call)"}`);
  }
}

// An abort keeps what was said, and what is queued is not lost.
const second = agent.prompt("Go on.");
agent.followUp(user("Still here."));
agent.abort();
await second;
console.log(`handed back: ${agent.clearQueues().followUp.length}`);
