import { Agent, type AgentTool, totalUsage } from "@coppice/agent";
import { scriptedTool } from "@coppice/agent/testing";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";

const parameters = Type.Object({ task: Type.String() });

/** A tool that is an agent: its steps are progress of this call, its cost is the cost of this call. */
const delegate: AgentTool<typeof parameters> = {
  name: "delegate",
  description: "Gives a task to another agent.",
  parameters,
  async execute(_toolCallId, { task }, signal, onUpdate) {
    const inner = new Agent({
      streamFunction: scriptedStream([scriptedToolCall("search", { for: "oak" }), "3 oaks."]),
      model: scriptedModel(),
      tools: [scriptedTool("search", { respond: "oak oak oak" })],
    });
    inner.subscribe((event) => {
      if (event.type !== "tool_execution_start") return;
      onUpdate({ content: [{ type: "text", text: `runs ${event.toolName}` }] });
    });
    signal.addEventListener("abort", () => inner.abort(), { once: true });
    await inner.prompt(task);
    const [last] = inner.state.messages.slice(-1);
    const text = last?.role === "assistant" ? textOf(last.content) : "";
    return { content: [{ type: "text", text }], usage: totalUsage(inner.state.messages) };
  },
};

const agent = new Agent({
  streamFunction: scriptedStream([scriptedToolCall("delegate", { task: "Count the oaks." }), "There are 3."]),
  model: scriptedModel(),
  tools: [delegate],
});
agent.subscribe((event) => {
  if (event.type === "tool_execution_update") {
    console.log(`${event.toolName}: ${textOf(event.partial.content)}`);
  }
  if (event.type === "tool_execution_end") {
    console.log(`${event.toolName} used ${event.result.usage?.totalTokens === 0 ? "no" : "its own"} tokens`);
  }
});

await agent.prompt("How many oaks?");
const answers = agent.state.messages.filter((message) => message.role === "assistant");
const ownTokens = answers.reduce((sum, { usage }) => sum + usage.totalTokens, 0);
console.log(`the total holds both: ${totalUsage(agent.state.messages).totalTokens > ownTokens}`);
