import type { DialogRequest, PermissionRequest } from "@coppice/coding-agent";
import { TuiMainScreen } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { Layout } from "../layout.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { createPaint } from "../theme.ts";
import { PromptEditor } from "../views/prompt-editor.ts";
import { extensionDialog } from "./extension-dialog.ts";
import { personAtTerminal } from "./person-at-terminal.ts";

const paint = createPaint(false);
const ENTER = "\r";
const ESCAPE = "\u001b";
const DOWN = "\u001b[B";
const UP = "\u001b[A";
const CTRL_C = "\u0003";
const NEVER = new Promise<void>(() => {});

function createScreen(ended: Promise<void> = NEVER) {
  const tui = new TuiMainScreen(createFakeTerminal());
  let stops = 0;
  let nowMs = 0;
  let timers: { readonly dueMs: number; readonly callback: () => void }[] = [];
  const after = (ms: number, callback: () => void) => void timers.push({ dueMs: nowMs + ms, callback });
  const layout = new Layout(tui, paint, { now: () => nowMs, after });
  const editor = new PromptEditor({ tui, paint, onKey: () => false, onSubmit: () => {} });
  layout.show({ above: [], editor, below: [] });
  const type = (...keys: readonly string[]) => {
    for (const key of keys) tui.getFocusedComponent()?.handleInput?.(key);
  };
  const shown = () => tui.render(70).map((line) => line.trimEnd());
  const pass = (ms: number) => {
    nowMs += ms;
    const due = timers.filter(({ dueMs }) => dueMs <= nowMs);
    timers = timers.filter(({ dueMs }) => dueMs > nowMs);
    for (const { callback } of due) callback();
  };
  /** A dialog is put on the screen a few ticks after it was asked for, and can be answered a moment later. */
  const read = async () => {
    await settled();
    shown();
    pass(300);
  };
  const stopRun = () => {
    stops += 1;
  };
  const waiting: string[] = [];
  const setWaiting = (id: string, isWaiting: boolean) => void waiting.push(`${id} ${isWaiting}`);
  const person = personAtTerminal({ layout, paint, stopRun, setWaiting, ended });
  return { layout, editor, type, shown, pass, read, person, waiting, stops: () => stops };
}

const request = (command: string, suggestedRule?: string): PermissionRequest => ({
  ...{
    toolCallId: "1",
    tool: "bash",
    input: { command },
    paths: [],
    reason: "No rule allows it.",
    suggestedRule,
  },
});
const { signal } = new AbortController();

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a permission question shows the call, why it asks, and the rule that could be remembered", async () => {
  const { person, shown, type, waiting, read } = createScreen();
  const answer = person.permission?.(request("npm run build", "bash(npm run *)"), signal);
  await read();
  expect(shown()).toEqual([
    "",
    "? bash wants to run",
    "  $ npm run build",
    "No rule allows it.",
    "",
    "→ Yes, this once",
    "  Yes, and bash(npm run *) in this session",
    "  Yes, and bash(npm run *) from now on (saved)",
    "  No",
    "  No, and say what to do instead",
    "↑↓ move · Enter takes · Esc refuses and stops the run",
  ]);
  expect(waiting).toEqual(["1 true"]);
  type(ENTER);
  expect(await answer).toEqual({ decision: "allow" });
  expect(waiting).toEqual(["1 true", "1 false"]);
});

test.each([
  [[DOWN, ENTER], { decision: "allow", remember: "session" }, 0],
  [[DOWN, DOWN, ENTER], { decision: "allow", remember: "always" }, 0],
  [[DOWN, DOWN, DOWN, ENTER], { decision: "deny" }, 0],
  [[ESCAPE], { decision: "deny" }, 1],
  [[CTRL_C], { decision: "deny" }, 1],
])("the keys %j answer %j, and stop the run %i times", async (keys, expected, expectedStops) => {
  const { person, type, stops, read } = createScreen();
  const answer = person.permission?.(request("ls", "bash(ls)"), signal);
  await read();
  type(...keys);
  expect(await answer).toEqual(expected);
  expect(stops()).toBe(expectedStops);
});

test("a refusal may say what to do instead; leaving that is still a refusal", async () => {
  const { person, type, shown, stops, read } = createScreen();
  for (const [end, expected] of [
    [ENTER, { decision: "deny", reason: "use pnpm" }],
    [ESCAPE, { decision: "deny" }],
  ] as const) {
    const answer = person.permission?.(request("npm i"), signal);
    await read();
    type(UP, ENTER);
    await read();
    expect(shown()[1]).toBe("What should be done instead of bash?");
    type(..."use pnpm", end);
    expect(await answer).toEqual(expected);
  }
  expect(stops()).toBe(0);
});

test("questions take turns; one whose run was stopped closes, and the draft is as it was", async () => {
  const { person, editor, type, shown, stops, read } = createScreen();
  type(..."half a thought");
  const stopped = new AbortController();
  const first = person.permission?.(request("one"), stopped.signal);
  const second = person.permission?.(request("two"), signal);
  await read();
  expect(shown()).toContain("  $ one");
  expect(shown()).not.toContain("  $ two");
  stopped.abort();
  expect(await first).toEqual({ decision: "deny" });
  expect(stops()).toBe(0);
  await read();
  expect(shown()).toContain("  $ two");
  type(ESCAPE);
  await read();
  type(ESCAPE);
  expect(editor.getText()).toBe("half a thought");
  void second;
});

test("UI-13: what somebody types while a question appears goes on into their text, and answers nothing", async () => {
  const { person, editor, type, pass, shown } = createScreen();
  type(..."half a ");
  const answer = person.permission?.(request("rm -r x"), signal);
  await settled();
  type(..."thought", ENTER);
  expect(editor.getText()).toBe("half a thought");
  expect(shown()).toContain("  $ rm -r x");
  pass(400);
  type(ENTER);
  expect(await answer).toEqual({ decision: "allow" });
});

test("UI-13: an Enter pressed twice answers one question: the next one takes none before it can be read, and says so", async () => {
  const { person, type, pass, shown, read } = createScreen();
  const first = person.permission?.(request("one"), signal);
  const second = person.permission?.(request("two", "bash(two)"), signal);
  await read();
  type(ENTER);
  expect(await first).toEqual({ decision: "allow" });
  await settled();
  // Before it is on the screen, and while nobody can have read it.
  type(ENTER, DOWN);
  expect(shown().slice(-2)).toEqual(["…", "Enter came too early and was not taken."]);
  pass(299);
  type(ENTER, UP, "\n");
  expect(shown()).toContain("→ Yes, this once");
  pass(1);
  expect(shown().at(-2)).toContain("Enter takes");
  type(DOWN);
  expect(shown().at(-1)).toContain("Enter takes");
  type(ENTER);
  expect(await second).toEqual({ decision: "allow", remember: "session" });
});

test.each<[DialogRequest, string]>([
  [{ owner: "x", kind: "confirm", title: "Delete all?" }, "→ Yes"],
  [{ owner: "x", kind: "select", title: "Which?", options: ["a", "b"] }, "→ a"],
  [{ owner: "x", kind: "select", title: "Which?", options: [..."abcdefghijklmnop"] }, "→ a"],
  [{ owner: "x", kind: "input", title: "Name?" }, "› "],
])(
  "UI-13: the dialog %j takes nothing of a sentence in progress, nor an Enter that came too early",
  async (dialog, first) => {
    const { layout, editor, type, pass, shown, read } = createScreen();
    type(..."half a ");
    const answer = extensionDialog(layout, { request: dialog, paint, signal });
    await read();
    type(..."thought", ENTER);
    expect(editor.getText()).toBe("half a thought");
    expect(shown().some((line) => line.startsWith(first))).toBe(true);
    expect(shown().join("\n")).toContain("was not taken");
    pass(400);
    type(ESCAPE);
    expect(await answer).toBeUndefined();
  },
);

test("a line and a long list of an extension take letters once the sentence is over", async () => {
  const { layout, editor, type, pass, read } = createScreen();
  type(..."half");
  const options = Array.from({ length: 20 }, (_, at) => `option ${at}`);
  const chosen = extensionDialog(layout, {
    ...{ request: { owner: "x", kind: "select", title: "Which?", options }, paint, signal },
  });
  await read();
  pass(400);
  type(..."17", ENTER);
  expect(await chosen).toBe("option 17");
  const written = extensionDialog(layout, {
    ...{ request: { owner: "x", kind: "input", title: "Name?" }, paint, signal },
  });
  await read();
  pass(400);
  type(..."Ada", ENTER);
  expect(await written).toBe("Ada");
  expect(editor.getText()).toBe("half");
});

test("once nobody is there, what is asked is denied", async () => {
  const { person } = createScreen(Promise.resolve());
  expect(await person.permission?.(request("ls"), signal)).toEqual({ decision: "deny" });
  const lost = createScreen(Promise.reject(new Error("lost")));
  expect(await lost.person.permission?.(request("ls"), signal)).toEqual({ decision: "deny" });
});

test("UI-13: a sentence that goes on for longer answers nothing either, nor does the Enter at its end", async () => {
  for (const draft of ["half a ", ""]) {
    const { person, editor, type, pass, shown } = createScreen();
    type(...draft);
    const answer = person.permission?.(request("rm -r x", "bash(rm *)"), signal);
    await settled();
    for (const key of "yes this once, please") {
      pass(300);
      type(key);
    }
    pass(2_000);
    type(..."!");
    pass(2_000);
    // The end of the sentence, and a second press of an impatient finger.
    type(ENTER, ENTER, "\u001b[13u");
    expect(editor.getText()).toBe(`${draft}yes this once, please!`);
    expect(shown()).toContain("→ Yes, this once");
    expect(shown().at(-1)).toContain("What you type goes into your draft: ");
    expect(shown().at(-1)).toContain("yes this once, please!");
    pass(400);
    type(DOWN, ENTER);
    expect(await answer).toEqual({ decision: "allow", remember: "session" });
  }
});

test("UI-09: what does not fit on the screen is offered before any yes, and can be looked through to its end", async () => {
  const { person, type, shown, read } = createScreen();
  const command = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
  const answer = person.permission?.(request(command), signal);
  await read();
  expect(shown().slice(8, 14)).toEqual([
    "    line 6",
    "  … 33 of 40 lines are not shown, or not to their end",
    "No rule allows it.",
    "",
    "→ Show the whole call",
    "  Yes, this once",
  ]);
  type(ENTER);
  await read();
  expect(shown().slice(1, 3)).toEqual(["bash wants to run lines 1–20 of 40", "  $ line 0"]);
  type("\u001b[6~");
  expect(shown()).toContain("    line 39");
  type(ESCAPE);
  await read();
  expect(shown()).toContain("→ Show the whole call");
  type(DOWN, ENTER);
  expect(await answer).toEqual({ decision: "allow" });
});

test("a run that is stopped while its call is looked at closes both, and is denied", async () => {
  const { person, type, shown, stops, read } = createScreen();
  const run = new AbortController();
  const answer = person.permission?.(request("x\n".repeat(40)), run.signal);
  await read();
  type(ENTER);
  await read();
  run.abort();
  expect(await answer).toEqual({ decision: "deny" });
  expect(shown().join("\n")).not.toContain("wants to run");
  expect(stops()).toBe(0);
});

test("a project that brings settings of its own is trusted only when that is chosen", async () => {
  const files = Array.from({ length: 12 }, (_, at) => `.coppice/file-${at}`);
  const trust = { directory: "/project", files, isInstructionsOnly: false, isChanged: false };
  const { person, type, shown, read } = createScreen();
  const first = person.trust?.(trust);
  await read();
  expect(shown().slice(1, 5)).toEqual([
    "? This project brings settings of its own: /project",
    "  They can run commands here and change what the agent may do.",
    "  Packages and programs that they use may change without a question.",
    "    .coppice/file-0",
  ]);
  expect(shown()).toContain("    … and 2 more");
  type(ENTER);
  expect(await first).toBe(false);
  const second = person.trust?.({ ...trust, isChanged: true });
  await read();
  expect(shown()[1]).toBe("? The settings of this project have changed: /project");
  type(DOWN, ENTER);
  expect(await second).toBe(true);
  // Left: no, and not remembered.
  const third = person.trust?.(trust);
  await read();
  type(ESCAPE);
  await expect(third).rejects.toThrow("left");
});

test("CX-08: a project that brings only instructions is asked about as well, in other words", async () => {
  const { person, type, shown, read } = createScreen();
  const answer = person.trust?.({
    ...{ directory: "/project", files: ["AGENTS.md"], isInstructionsOnly: true, isChanged: false },
  });
  await read();
  expect(shown().slice(1, 4)).toEqual([
    "? This project brings instructions for the agent: /project",
    "  The agent is told to follow them.",
    "    AGENTS.md",
  ]);
  type(DOWN, ENTER);
  expect(await answer).toBe(true);
});

test("a terminal that goes away has not refused to trust: nothing is remembered", async () => {
  const lost = Promise.withResolvers<void>();
  const { person, read } = createScreen(lost.promise);
  const answer = person.trust?.({
    ...{ directory: "/project", files: [".coppice/a"], isInstructionsOnly: false, isChanged: false },
  });
  await read();
  lost.resolve();
  await expect(answer).rejects.toThrow("Nobody is there");
});

test.each<[DialogRequest, readonly string[], unknown]>([
  [{ owner: "x", kind: "confirm", title: "Sure?", message: "It is final." }, [ENTER], true],
  [{ owner: "x", kind: "confirm", title: "Sure?" }, [DOWN, ENTER], false],
  [{ owner: "x", kind: "confirm", title: "Sure?" }, [ESCAPE], undefined],
  [{ owner: "x", kind: "select", title: "Which?", options: ["same", "same", "c"] }, [DOWN, ENTER], "same"],
  [{ owner: "x", kind: "input", title: "Name?", placeholder: "a name" }, [..."Ada", ENTER], "Ada"],
  [{ owner: "x", kind: "input", title: "Name?" }, [ESCAPE], undefined],
])("the dialog %j answered with %j is %j", async (dialog, keys, expected) => {
  const { layout, type, shown, read } = createScreen();
  const answer = extensionDialog(layout, { request: dialog, paint, signal });
  await read();
  expect(shown()[1]).toBe(`? ${dialog.title} (x)`);
  type(...keys);
  expect(await answer).toBe(expected);
});

test("once the person has left, what is open is dismissed, and so is what would be asked later", async () => {
  const { layout, read, shown } = createScreen();
  const open = layout.pick({ title: ["Which?"], choices: [{ value: "a", label: "A" }], sudden: "keys" });
  await read();
  layout.leave();
  expect(await open).toBeUndefined();
  expect(await layout.input({ title: ["Name?"] })).toBeUndefined();
  expect(shown()).toEqual([]);
});

test("a secret is not shown", async () => {
  const { layout, type, shown } = createScreen();
  const answer = layout.input({ title: ["Key"], isSecret: true });
  type(..."sk-123");
  expect(shown().slice(1, 3)).toEqual(["Key", "› ••••••"]);
  type(ENTER);
  expect(await answer).toBe("sk-123");
});
