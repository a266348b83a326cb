import { Agent, agentHooks, HookRunner, maxTurns } from "@coppice/agent";
import { scriptedTool } from "@coppice/agent/testing";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";

const hooks = new HookRunner(agentHooks, {
  onFailure: ({ hook, owner, error }) => console.log(`${hook} of ${owner} failed: ${String(error)}`),
});

// A guard: it may block or change the input, and when it throws the call stays blocked.
hooks.on(
  "tool_call",
  ({ call, input }) =>
    String(input.path).startsWith("/etc")
      ? { block: true, reason: `${call.name} stays out of /etc` }
      : undefined,
  { owner: "permissions" },
);
// Changes what the model sees of a result.
hooks.on("tool_result", ({ content }) => ({
  content: content.map((block) =>
    block.type === "text" ? { ...block, text: block.text.replaceAll("hunter2", "[secret]") } : block,
  ),
}));
// Changes one request; the transcript stays as it is.
hooks.on("context", ({ messages }) => ({
  messages: [{ role: "user", content: "It is Monday.", timestamp: 0 }, ...messages],
}));

const stream = scriptedStream([
  [scriptedToolCall("read", { path: "/etc/passwd" }), scriptedToolCall("read", { path: "notes.txt" })],
  "One file was closed to me, the other holds a secret.",
]);
const agent = new Agent({
  streamFunction: stream,
  model: scriptedModel(),
  tools: [scriptedTool("read", { respond: "password: hunter2" })],
  hooks,
  stopWhen: maxTurns(10),
});
agent.subscribe((event) => {
  if (event.type !== "tool_execution_end") return;
  const [block] = event.result.content;
  console.log(block?.type === "text" ? block.text : "");
});

await agent.prompt("Read both.");
console.log(`messages sent: ${stream.requests[0]?.messages.length}, kept: ${agent.state.messages.length}`);
