import { Agent, type AgentTool } from "@coppice/agent";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";

const parameters = Type.Object({ a: Type.Number(), b: Type.Number() });

/** `params` is typed and checked by the schema; a throw becomes an error result that the model reads. */
const divide: AgentTool<typeof parameters> = {
  name: "divide",
  description: "Divides a by b.",
  parameters,
  async execute(_toolCallId, { a, b }) {
    if (b === 0) throw new Error("b must not be 0");
    return { content: [{ type: "text", text: String(a / b) }] };
  },
};

const agent = new Agent({
  streamFunction: scriptedStream([
    // The first call fails, the second has a number as text: it is coerced.
    [scriptedToolCall("divide", { a: 84, b: 0 }), scriptedToolCall("divide", { a: "84", b: 2 })],
    "84 divided by 2 is 42; by 0 it cannot be divided.",
  ]),
  model: scriptedModel(),
  tools: [divide],
});

agent.subscribe((event) => {
  if (event.type === "tool_execution_end") {
    const [block] = event.result.content;
    console.log(
      `${event.toolName}: ${event.isError ? "error: " : ""}${block?.type === "text" ? block.text : ""}`,
    );
  }
  if (event.type === "message_update" && event.event.type === "text_delta") {
    process.stdout.write(event.event.delta);
  }
});

await agent.prompt("Divide 84 by 0 and by 2.");
process.stdout.write("\n");
