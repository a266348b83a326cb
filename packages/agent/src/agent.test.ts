import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { Agent } from "./agent.ts";
import { HookRunner } from "./hook-runner.ts";
import { defineHooks, hook } from "./hook-table.ts";
import { agentHooks } from "./hooks.ts";
import { collectEvents } from "./testing/index.ts";
import type { AgentTool } from "./tool.ts";

const echoParameters = Type.Object({ text: Type.String() });
const echo: AgentTool<typeof echoParameters> = {
  name: "echo",
  description: "Says it back.",
  parameters: echoParameters,
  execute: async (_id, { text }) => ({ content: [{ type: "text", text }] }),
};

test("the canonical run: a prompt, a tool call, an answer", async () => {
  const extended = defineHooks({ ...agentHooks, input: hook<string, string, "pipe">("pipe") });
  const hooks = new HookRunner(extended, { onFailure: () => undefined });
  const agent = new Agent({
    streamFunction: scriptedStream([scriptedToolCall("echo", { text: "hi" }, "c1"), "done"]),
    model: scriptedModel(),
    tools: [echo],
    hooks,
  });
  const seen = collectEvents(agent);
  await agent.prompt("go");
  expect(seen.lines()).toEqual([
    "agent_start",
    "turn_start 0",
    "message_start user",
    "message_end user",
    "message_start assistant",
    "message_update toolcall_start",
    "message_update toolcall_delta",
    "message_update toolcall_end",
    "message_end assistant",
    "tool_execution_start c1",
    "tool_execution_end c1",
    "message_start toolResult",
    "message_end toolResult",
    "turn_end 0",
    "turn_start 1",
    "message_start assistant",
    "message_update text_start",
    "message_update text_delta",
    "message_update text_end",
    "message_end assistant",
    "turn_end 1",
    "agent_end",
    "agent_settled",
  ]);
});
