import type { AgentMessage } from "@coppice/agent";
import { scriptedMessage, scriptedToolCall } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { expect, test } from "vitest";
import { missingToolResults } from "./resume-repair.ts";
import { createScenario } from "./testing/scenario.ts";

const user: AgentMessage = { role: "user", content: "u", timestamp: 0 };
const calls = (...ids: readonly string[]): AgentMessage =>
  scriptedMessage({
    content: ids.map((id) => ({ type: "toolCall", id, name: `tool-${id}`, arguments: {} })),
    stopReason: "toolUse",
  });
const result = (toolCallId: string): AgentMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "t",
  content: [],
  isError: false,
  timestamp: 0,
});

test.each([
  { name: "an empty session", messages: [], missing: [] },
  { name: "a finished batch", messages: [user, calls("1"), result("1")], missing: [] },
  { name: "a batch without results", messages: [user, calls("1", "2")], missing: ["1", "2"] },
  {
    name: "a batch with some results",
    messages: [user, calls("1", "2", "3"), result("2")],
    missing: ["1", "3"],
  },
  { name: "a batch that something followed", messages: [calls("1"), user], missing: [] },
  {
    name: "B025: a branch that starts at a call",
    messages: [user, calls("1"), result("1"), calls("1b")],
    missing: ["1b"],
  },
])("missingToolResults of $name", ({ messages, missing }) => {
  const results = missingToolResults(messages, 9);
  expect(
    results.map(({ toolCallId, toolName, isError, timestamp }) => [toolCallId, toolName, isError, timestamp]),
  ).toEqual(missing.map((id) => [id, `tool-${id}`, true, 9]));
});

test("B120: a summary asked for at an unanswered call stands behind its result, too", async () => {
  let requests = 0;
  const { agent, model } = await createScenario({
    tools: [
      {
        name: "act",
        description: "",
        parameters: { type: "object" },
        execute: async () => ({ content: [{ type: "text", text: "done" }] }),
      },
    ],
    answers: () => (requests++ === 0 ? scriptedToolCall("act") : "fine"),
  });
  await agent.prompt("go");
  const entries = await agent.session.getEntries();
  const call = entries.find((entry) => isEntry(entry, "message") && entry.message.role === "assistant");
  await agent.navigate(call?.id ?? null);
  // Whether so short a history can be compacted does not matter here.
  await agent.compact().catch(() => undefined);
  expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "user",
  ]);
});
