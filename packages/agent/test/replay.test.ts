import { type AssistantMessage, ZERO_USAGE } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { Agent, type AgentMessage } from "../src/index.ts";
import { scriptedAgent, scriptedTool } from "../src/testing/index.ts";
import { createWire, createWireCheck, WIRE_APIS } from "./wire-check.ts";

/** Runs of which the transcript is awkward; whatever the loop stores, all four wire formats must take it back. */
const pixel = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;
const long = `call_abc|fc_${"0123456789".repeat(12)}`;

test.each([
  { name: "B130: a silent tool", calls: [scriptedToolCall("work", {}, "a")], result: "" },
  { name: "B130: a tool that says only blanks", calls: [scriptedToolCall("work", {}, "a")], result: " \n" },
  {
    name: "B126: ids of another provider, equal in their first 64 characters",
    calls: [scriptedToolCall("work", {}, `${long}1`), scriptedToolCall("work", {}, `${long}2`)],
    result: "ok",
  },
  {
    name: "B240: names that no provider takes",
    calls: ["", "__proto__", "a/b"].map((name, index) => scriptedToolCall(name, {}, `id-${index}`)),
    result: "ok",
  },
  {
    name: "B106: arguments that are no JSON object",
    calls: [scriptedToolCall("work", '{"path": "con', "a")],
    result: "ok",
  },
  {
    name: "B136: half an emoji",
    calls: [scriptedToolCall("work", { text: "x\ud83d" }, "a")],
    result: "y\ud83d",
  },
  {
    name: "an image beside an error",
    calls: [scriptedToolCall("work", {}, "a"), scriptedToolCall("none", {}, "b")],
    result: { content: [pixel] },
  },
])("$name leaves a transcript that all four wire formats accept", async ({ calls, result }) => {
  const tool = scriptedTool("work", { respond: result });
  await using wire = await createWireCheck([tool]);
  const { agent } = scriptedAgent([calls, "done"], { tools: [tool] });
  await agent.prompt("go");
  expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "stop" });
  expect(await wire.refusals(agent.state.messages)).toEqual([]);
});

const answer = (content: unknown): AgentMessage =>
  ({
    role: "assistant",
    content,
    api: "a",
    provider: "p",
    model: "m",
    usage: ZERO_USAGE,
    stopReason: "stop",
    timestamp: 1,
  }) as AssistantMessage;
const calling = answer(["t1", "t2"].map((id) => ({ type: "toolCall", id, name: "work", arguments: {} })));

test.each([
  { name: "B120: calls that were never answered", history: [calling] },
  {
    name: "B127: content that is null",
    history: [answer(null), { role: "user", content: null, timestamp: 1 }],
  },
  { name: "B128: an answer without content", history: [answer([])] },
  { name: "B128: an answer of one blank text", history: [answer([{ type: "text", text: "" }])] },
])("$name in a loaded transcript: the run goes on, over all four wire formats", async ({ history }) => {
  const { server, streamFunction } = await createWire(() => "done");
  await using _closed = server;
  const messages = [{ role: "user", content: "hi", timestamp: 1 }, ...history] as readonly AgentMessage[];
  for (const api of WIRE_APIS) {
    const tools = [scriptedTool("work", { respond: "ok" })];
    const agent = new Agent({ streamFunction, model: server.model(api), tools, messages });
    await agent.prompt("go");
    expect([api, agent.state.messages.at(-1)]).toMatchObject([api, { stopReason: "stop" }]);
  }
  expect(server.rejections).toEqual([]);
});

test("the check itself sees what no provider takes", async () => {
  await using wire = await createWireCheck([scriptedTool("a name with blanks")]);
  const refusals = await wire.refusals([]);
  expect(refusals.map((line) => line.split(" ")[0])).toEqual(expect.arrayContaining([...WIRE_APIS]));
});
