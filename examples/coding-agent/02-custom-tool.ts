import type { AgentTool } from "@coppice/agent";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { createBuiltinTools, createCodingAgent } from "@coppice/coding-agent";
import { createMemoryEnvironment } from "@coppice/coding-agent/testing";
import { Type } from "typebox";

const parameters = Type.Object({ rings: Type.Integer({ minimum: 1, description: "Rings of the stump" }) });

// Arguments are checked against the schema before `execute` sees them.
const treeAge: AgentTool<typeof parameters> = {
  name: "tree_age",
  description: "Age of a tree from the rings of its stump.",
  parameters,
  async execute(_id, { rings }) {
    return { content: [{ type: "text", text: `${rings} years` }] };
  },
};

const cwd = "/wood";
const environment = createMemoryEnvironment({ files: { "/wood/stumps.txt": "oak: 120 rings\n" } });
const agent = await createCodingAgent({
  ...{ cwd, environment, model: scriptedModel() },
  tools: [...createBuiltinTools({ cwd, environment }), treeAge],
  streamFunction: scriptedStream([
    scriptedToolCall("read", { path: "stumps.txt" }),
    scriptedToolCall("tree_age", { rings: "many" }),
    scriptedToolCall("tree_age", { rings: 120 }),
    "The oak is 120 years old.",
  ]),
});
agent.subscribe((event) => {
  if (event.type !== "tool_execution_end") return;
  const [block] = event.result.content;
  const text = block?.type === "text" ? block.text.split("\n")[0] : "";
  console.log(`${event.toolName}${event.isError ? " failed" : ""}: ${text}`);
});
await agent.prompt("How old is the oak?");
console.log(`tools: ${agent.tools.active.join(", ")}`);
await agent.dispose();
