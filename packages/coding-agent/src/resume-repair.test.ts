import type { AgentMessage } from "@coppice/agent";
import { scriptedMessage } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { missingToolResults } from "./resume-repair.ts";

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
