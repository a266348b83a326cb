import type { AgentEvent } from "@coppice/agent";
import { scriptedMessage } from "@coppice/ai/testing";
import type { HarnessEvent } from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { printEvent, START } from "./print-event.ts";
import { createStyle } from "./style.ts";

const message = scriptedMessage();

const delta = (text: string): AgentEvent => ({
  type: "message_update",
  message,
  event: { type: "text_delta", contentIndex: 0, delta: text },
});
const textStart: AgentEvent = {
  type: "message_update",
  message,
  event: { type: "text_start", contentIndex: 0 },
};
const start: AgentEvent = { type: "message_start", message };
const end: AgentEvent = { type: "message_end", message };

function print(events: readonly (AgentEvent | HarnessEvent)[]) {
  let state = START;
  let answer = "";
  let notice = "";
  for (const event of events) {
    const step = printEvent(state, event, createStyle(false));
    state = step.state;
    answer += step.answer;
    notice += step.notice;
  }
  return { answer, notice };
}

test("text comes as it streams and ends with a line feed", () => {
  expect(print([start, textStart, delta("Hel"), delta("lo"), end])).toEqual({
    answer: "Hello\n",
    notice: "",
  });
  expect(print([start, textStart, delta("Hello\n"), end])).toEqual({ answer: "Hello\n", notice: "" });
  expect(print([start, end])).toEqual({ answer: "", notice: "" });
});

test("texts of two messages are a blank line apart, two texts of one message a line", () => {
  const one = [start, textStart, delta("one"), end];
  const two = [start, textStart, delta("two"), textStart, delta("three"), end];
  expect(print([...one, ...two]).answer).toBe("one\n\ntwo\nthree\n");
});

test("B248: text that would drive the terminal is inert, also when it is split between deltas", () => {
  expect(print([start, delta("a\u001b"), delta("]52;c;eA==\u0007"), end]).answer).toBe("a␛]52;c;eA==␇\n");
});

test("a character split between two deltas comes out whole, half of one at the end does not come out", () => {
  expect(print([start, delta("\ud83c"), delta("\udf33!\ud83c"), end]).answer).toBe("🌳!\n");
});

test("a finished call is one line on the notices with its main argument, outcome and duration", () => {
  const call = (
    toolCallId: string,
    toolName: string,
    args: Readonly<Record<string, unknown>>,
  ): AgentEvent => ({
    type: "tool_execution_start",
    toolCallId,
    toolName,
    args,
  });
  const finish = (
    toolCallId: string,
    toolName: string,
    isError: boolean,
    details: unknown,
    durationMs: number,
  ): AgentEvent => ({
    type: "tool_execution_end",
    toolCallId,
    toolName,
    isError,
    durationMs,
    result: { content: [{ type: "text", text: isError ? "\n\u001b[31mno such\n thing" : "ok" }], details },
  });
  expect(
    print([
      call("1", "bash", { timeout: 5, command: "npm\n test\u001b[31m" }),
      call("2", "read", { path: "a.ts", offset: 3 }),
      call("3", "odd", { flag: true }),
      finish("2", "read", false, undefined, 12.4),
      finish("1", "bash", true, { exitCode: 2 }, 3_210),
      finish("3", "odd", true, undefined, 250_000),
    ]).notice,
  ).toBe(
    "✓ read a.ts (ok, 12 ms)\n✗ bash npm test (exit 2, 3.2 s): no such\n✗ odd (error, 4 min 10 s): no such\n",
  );
});

test("retries, compactions and diagnostics are told in one line each", () => {
  expect(
    print([
      { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 500, errorMessage: "busy\n\u001b[2J" },
      { type: "compaction_end", reason: "threshold", result: undefined, aborted: true },
      {
        type: "compaction_end",
        reason: "overflow",
        result: undefined,
        aborted: false,
        errorMessage: "no room",
      },
      { type: "diagnostic", level: "warning", message: "hook x failed" },
    ]).notice,
  ).toBe("retry 1/3 in 500 ms: busy\ncompaction failed: no room\nwarning: hook x failed\n");
});

test("on a terminal a new attempt starts on a new line, and it is said that the text above broke off", () => {
  const retry = {
    type: "auto_retry_start",
    attempt: 1,
    maxAttempts: 3,
    delayMs: 500,
    errorMessage: "cut",
  } as const;
  const broken: AgentEvent = { type: "message_end", message: { ...message, stopReason: "error" } };
  expect(print([start, delta("It sa"), broken, retry, start, delta("It says"), end])).toEqual({
    answer: "It sa\n\nIt says\n",
    notice: "the answer broke off and starts again: retry 1/3 in 500 ms: cut\n",
  });
  expect(print([start, broken, retry, start, delta("It says"), end])).toEqual({
    answer: "It says\n",
    notice: "retry 1/3 in 500 ms: cut\n",
  });
});

test("a diagnostic that comes again with other numbers is told once", () => {
  const report = (text: string): HarnessEvent => ({ type: "diagnostic", level: "error", message: text });
  const reports = ["1 session entry lost", "2 session entries lost", "another", "2 session entries lost"];
  expect(print(reports.map(report)).notice).toBe("error: 1 session entry lost\nerror: another\n");
});
