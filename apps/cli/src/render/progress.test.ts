import type { AgentEvent } from "@coppice/agent";
import { scriptedMessage } from "@coppice/ai/testing";
import type { HarnessEvent } from "@coppice/coding-agent";
import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { NO_PROGRESS, progressAfter, progressText } from "./progress.ts";

const message = scriptedMessage();
const turn: AgentEvent = { type: "turn_start", turnIndex: 0 };
const delta: AgentEvent = {
  type: "message_update",
  message,
  event: { type: "text_delta", contentIndex: 0, delta: "word" },
};
const call = (toolCallId: string, command: string): AgentEvent => ({
  type: "tool_execution_start",
  toolCallId,
  toolName: "bash",
  args: { command },
});
const called = (toolCallId: string): AgentEvent => ({
  type: "tool_execution_end",
  ...{ toolCallId, toolName: "bash", result: { content: [] }, isError: false, durationMs: 1 },
});
const retry: HarnessEvent = {
  type: "auto_retry_start",
  ...{ attempt: 1, maxAttempts: 3, delayMs: 8_000, errorMessage: "busy" },
};

/** The line after the events, which come at second 0, seen at second 6 on 40 columns. */
function lineAfter(
  events: readonly (AgentEvent | HarnessEvent)[],
  isAnswerInSight = false,
  columns = 40,
): string {
  const options = { model: "wire/wire-1", nowMs: 0, isAnswerInSight };
  return progressText(
    events.reduce((progress, event) => progressAfter(progress, event, options), NO_PROGRESS),
    6_000,
    columns,
  );
}

test.each([
  { name: "the model", events: [turn], line: "waiting for wire/wire-1 · 6 s" },
  { name: "a retry", events: [turn, retry], line: "retry 1/3 in 2 s" },
  {
    name: "a compaction",
    events: [turn, { type: "compaction_start", reason: "threshold" }],
    line: "compacting · 6 s",
  },
  { name: "an answer that a program reads", events: [turn, delta], line: "waiting for wire/wire-1 · 6 s" },
  { name: "a call", events: [call("1", "sleep 6")], line: "bash sleep 6 · 6 s" },
  { name: "two calls", events: [call("1", "a"), call("2", "b")], line: "bash a and 1 more · 6 s" },
  { name: "the second of two", events: [call("1", "a"), call("2", "b"), called("1")], line: "bash b · 6 s" },
  {
    name: "a long command",
    events: [call("1", "x".repeat(99))],
    line: "bash xxxxxxxxxxxxxxxxxxxxxxxxxx… · 6 s",
  },
  {
    name: "wide characters",
    events: [call("1", "木".repeat(99))],
    line: "bash 木木木木木木木木木木木木木… · 6 s",
  },
  {
    name: "a command that would drive the terminal",
    events: [call("1", "a\u001b[2Jb\nc")],
    line: "bash ab c · 6 s",
  },
  { name: "an answer that is over", events: [turn, { type: "message_end", message }], line: "" },
  { name: "a run that is over", events: [turn, { type: "agent_settled", aborted: false }], line: "" },
] satisfies { name: string; events: readonly (AgentEvent | HarnessEvent)[]; line: string }[])(
  "what is waited for: $name",
  ({ events, line }) => {
    expect(lineAfter(events)).toBe(line);
  },
);

test("nothing while the answer comes on the same terminal", () => {
  expect(lineAfter([turn, delta], true)).toBe("");
});

test.each([1, 2, 8, 14])("on %d columns the line is still shorter than the terminal is wide", (columns) => {
  for (const events of [[turn], [call("1", "a"), call("2", "b")], [call("1", "木木木")]]) {
    const line = lineAfter(events, false, columns);
    expect(visibleWidth(line)).toBeLessThan(Math.max(2, columns));
    expect(line).not.toBe("");
  }
});
