import type { AgentEvent, AgentMessage } from "@coppice/agent";
import type { ToolCall, ToolResultMessage } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { Screen } from "../screen.ts";
import { createPaint } from "../theme.ts";
import { TranscriptView } from "./transcript-view.ts";

const call: ToolCall = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } };
const user: AgentMessage = { role: "user", content: "list the files", timestamp: 0 };
const calling = scriptedMessage({
  content: [{ type: "text", text: "Listing." }, call],
  stopReason: "toolUse",
});
const output: ToolResultMessage = {
  role: "toolResult",
  ...{
    toolCallId: "c1",
    toolName: "bash",
    content: [{ type: "text", text: "a.ts" }],
    isError: false,
    timestamp: 0,
  },
};

function show(act: (view: TranscriptView) => void): readonly string[] {
  const view = new TranscriptView(createPaint(false));
  act(view);
  return view.render(60).map((line) => line.trimEnd());
}
const play = (...events: readonly AgentEvent[]) =>
  show((view) => {
    for (const event of events) view.handle(event);
  });

const asked: readonly AgentEvent[] = [
  { type: "message_end", message: user },
  { type: "message_start", message: scriptedMessage({}) },
  { type: "message_update", message: calling, event: { type: "text_start", contentIndex: 0 } },
];
const begun: readonly AgentEvent[] = [
  ...asked,
  { type: "message_end", message: calling },
  { type: "tool_execution_start", toolCallId: "c1", toolName: "bash", args: { command: "ls" } },
];

test("a call shows while its arguments stream, while it runs with what has come, and when it is over", () => {
  const lines = ["", "› list the files", "", "Listing.", ""];
  expect(play(...asked)).toEqual([...lines, "○ bash ls (preparing)"]);
  const partial = { content: [{ type: "text" as const, text: "a.t" }] };
  const update: AgentEvent = { type: "tool_execution_update", toolCallId: "c1", toolName: "bash", partial };
  expect(play(...begun, update)).toEqual([...lines, "● bash ls (running)", "  a.t"]);
  const end: AgentEvent = {
    type: "tool_execution_end",
    ...{ toolCallId: "c1", toolName: "bash", isError: false, durationMs: 12 },
    result: { content: output.content, details: { exitCode: 0 } },
  };
  const over = [...lines, "✓ bash ls (exit 0, 12 ms)", "  a.ts"];
  expect(play(...begun, end)).toEqual(over);
  expect(play(...begun, end, { type: "message_end", message: output })).toEqual(over);
});

test("a call that waits for a person says so; with the answer it runs, and without one it never ran", () => {
  const last = (change: (view: TranscriptView) => void) =>
    show((view) => {
      for (const event of begun) view.handle(event);
      change(view);
    }).at(-1);
  expect(last((view) => view.setWaiting("c1", true))).toBe("● bash ls (waiting for you)");
  const answered = (view: TranscriptView) => {
    view.setWaiting("c1", true);
    view.setWaiting("c1", false);
  };
  expect(last(answered)).toBe("● bash ls (running)");
  const stopped = (view: TranscriptView) => {
    view.setWaiting("c1", true);
    view.closeOpenCards();
    view.setWaiting("c1", false);
    view.setWaiting("another", true);
  };
  expect(last(stopped)).toBe("– bash ls (not run)");
});

test("a stored conversation reads as it did; what a call without a result did is not known", () => {
  const stored = show((view) =>
    view.reset([user, calling, output, scriptedMessage({ content: [{ type: "text", text: "One file." }] })]),
  );
  expect(stored).toEqual([
    ...["", "› list the files", "", "Listing.", "", "✓ bash ls (ok)", "  a.ts", "", "One file."],
  ]);
  expect(show((view) => view.reset([user, calling])).at(-1)).toBe("? bash ls (interrupted, outcome unknown)");
});

test("a failure that says itself what to do is told with that", () => {
  const message = scriptedMessage({
    ...{ provider: "team", model: "m", stopReason: "error", errorMessage: "The login is over." },
    error: { code: "auth", retryable: false, advice: "Log in again." },
  });
  expect(play({ type: "message_end", message }).join("\n")).toMatch(/The login is over\.\s+Log in again\.$/);
});

test("a key that is refused is answered with the login that the provider has", () => {
  const message = scriptedMessage({
    ...{ provider: "team", model: "m", stopReason: "error", errorMessage: "401" },
    error: { code: "auth", retryable: false },
  });
  const view = new TranscriptView(createPaint(false), undefined, () => new Set(["team"]));
  view.handle({ type: "message_end", message });
  expect(view.render(200).join("\n")).toContain("Log in again with /login team,");
});

test("a failed answer says what happened and what to do; its calls never ran", () => {
  const failed = scriptedMessage({
    content: [call],
    stopReason: "error",
    errorMessage: "401 bad key\u001b[2J",
    error: { code: "auth", message: "401 bad key", retryable: false },
  });
  const lines = play(...asked.slice(0, 2), { type: "message_end", message: failed });
  expect(lines.slice(2, 6)).toEqual(["", "– bash ls (not run)", "", "✗ scripted/scripted-1: 401 bad key"]);
  expect(lines[6]).toMatch(/^ {2}\S/);
});

test("only calls that were never begun are said not to have run", () => {
  const aborted = scriptedMessage({ content: [{ ...call, id: "c2" }], stopReason: "aborted" });
  const heads = (lines: readonly string[]) => lines.filter((line) => line.includes("bash ls"));
  expect(heads(show((view) => view.reset([user, calling, user, aborted])))).toEqual([
    "? bash ls (interrupted, outcome unknown)",
    "– bash ls (not run)",
  ]);
  const settled = (events: readonly AgentEvent[]) =>
    show((view) => {
      for (const event of events) view.handle(event);
      view.closeOpenCards();
    });
  expect(heads(settled(asked))).toEqual(["– bash ls (not run)"]);
  expect(heads(settled(begun))).toEqual(["? bash ls (interrupted, outcome unknown)"]);
});

test("summaries, shared commands and notices of extensions show; what is not for people does not", () => {
  const lines = show((view) =>
    view.reset([
      { role: "compactionSummary", summary: "Goal: prune", tokensBefore: 9, timestamp: 0 },
      {
        role: "bashExecution",
        command: "pwd",
        output: "/x",
        cancelled: false,
        truncated: false,
        timestamp: 0,
      },
      { role: "custom", customType: "a", content: "shown", display: true, timestamp: 0 },
      { role: "custom", customType: "a", content: "hidden", display: false, timestamp: 0 },
      { role: "branchSummary", summary: "Tried X", fromId: "1", timestamp: 0 },
    ]),
  );
  expect(lines).toEqual([
    ...["", "≡ Summary of what came before", "  Goal: prune", "", "$ pwd", "/x", "", "◆ shown"],
    ...["", "≡ Summary of another branch", "  Tried X"],
  ]);
});

test("B248: a notice and a prompt cannot drive the terminal", () => {
  const hostile = "a\u001b]52;c;ZWNobw==\u0007b";
  expect(show((view) => view.notice(hostile, "error"))).toEqual(["", "ab"]);
  expect(show((view) => view.reset([{ role: "user", content: hostile, timestamp: 0 }]))).toEqual([
    "",
    "› ab",
  ]);
});

test("UI-01: a conversation with wide characters, a table and code fits every width from 1 column on", () => {
  const prose =
    "# 报错 🇨🇳\n\n| 一 | two |\n|-|-|\n| 👨‍👩‍👧 | x |\n\n```ts\nconst 报 = 1;\n```\n- e\u0301 ไทย\n> quote";
  const view = new TranscriptView(createPaint(true));
  const screen = new Screen();
  screen.addChild(view);
  view.reset([user, calling, output, scriptedMessage({ content: [{ type: "text", text: prose }] })]);
  for (let width = 1; width <= 120; width++) {
    for (const line of screen.render(width)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
  }
});

test("UI-14: shown again, notices stay with what they follow, calls have their durations; of another session none stay", () => {
  const view = new TranscriptView(createPaint(false));
  const shown = () =>
    view
      .render(60)
      .map((line) => line.trimEnd())
      .filter((line) => line !== "");
  view.notice("Welcome.");
  for (const message of [user, calling, output]) view.handle({ type: "message_end", message });
  view.notice("Compacted.");
  const after: AgentMessage = { role: "user", content: "and now?", timestamp: 7 };
  view.handle({ type: "message_end", message: after });
  view.notice("Interrupted.");
  expect([view.says("Compacted."), view.says("Gone.")]).toEqual([true, false]);
  const durationsMs = new Map([["c1", 3_200]]);
  const card = (outcome: string) => ["Listing.", `✓ bash ls (${outcome})`, "  a.ts"];
  for (const _ of ["once", "and again"]) {
    view.reset([user, calling, output, after], { keepsNotices: true, durationsMs });
    expect(shown()).toEqual([
      ...["Welcome.", "› list the files", ...card("ok, 3.2 s"), "Compacted.", "› and now?", "Interrupted."],
    ]);
  }
  view.reset([user, calling, output], { keepsNotices: true });
  expect(shown()).toEqual(["Welcome.", "› list the files", ...card("ok"), "Compacted."]);
  view.reset([user]);
  expect(shown()).toEqual(["› list the files"]);
});
