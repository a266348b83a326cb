import type { AgentEvent } from "@coppice/agent";
import type { StopReason } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import type { HarnessEvent } from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { createStyle } from "./style.ts";
import { printWhole, WHOLE_START } from "./whole-answer.ts";

const message = scriptedMessage();
const delta = (text: string): AgentEvent => ({
  type: "message_update",
  message,
  event: { type: "text_delta", contentIndex: 0, delta: text },
});
const start: AgentEvent = { type: "message_start", message };
const end = (stopReason: StopReason = "stop"): AgentEvent => ({
  type: "message_end",
  message: { ...message, stopReason },
});
const settled = { type: "agent_settled" } as AgentEvent;

/** What each event adds to the answer, in order. */
function answers(events: readonly (AgentEvent | HarnessEvent)[]): readonly string[] {
  let state = WHOLE_START;
  return events.map((event) => {
    const step = printWhole(state, event, createStyle(false));
    state = step.state;
    return step.answer;
  });
}

test("text comes out when its message is complete", () => {
  expect(answers([start, delta("Hel"), delta("lo"), end(), settled])).toEqual(["", "", "", "Hello\n", ""]);
});

test("texts of two messages stay a blank line apart", () => {
  expect(answers([start, delta("one"), end("toolUse"), start, delta("two"), end()]).join("")).toBe(
    "one\n\ntwo\n",
  );
});

test("an attempt that broke off and was repeated does not come out", () => {
  const broken = [start, delta("It sa"), end("error")];
  expect(answers([...broken, ...broken, start, delta("It says"), end(), settled]).join("")).toBe("It says\n");
});

test("the last attempt comes out at the end, broken as it is", () => {
  const broken = [start, delta("It sa"), end("error")];
  expect(answers([...broken, ...broken, settled])).toEqual([...Array(6).fill(""), "It sa\n"]);
});
