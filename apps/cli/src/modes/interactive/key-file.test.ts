import { MemoryRepo } from "@coppice/session";
import { type Component, TuiMainScreen } from "@earendil-works/pi-tui";
import { afterEach, expect, test } from "vitest";
import { ContextView, FIRST_CONTEXT_LOOK } from "./context/context-view.ts";
import { failureNotice } from "./failure-notice.ts";
import { parseKeyFile } from "./key-file.ts";
import { actionOf, keyHelp, keyTable, keyText, useKeys } from "./keymap.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";
import { createPaint } from "./theme.ts";
import { FIRST_LOOK, TreeView } from "./tree/tree-view.ts";
import { Picker, pickerHint } from "./views/picker.ts";
import { TextEditor } from "./views/text-editor.ts";
import { TextPrompt } from "./views/text-prompt.ts";
import { toolCardLines } from "./views/tool-card-lines.ts";

afterEach(() => useKeys());

test("UI-21: keys of a file go over those that come along; every hint and handler asks the one table", () => {
  const { keys, warnings } = parseKeyFile(
    '{"app.expand": "ctrl+e", "app.interrupt": ["f2", "ctrl+x"], "tui.select.cancel": "f3", "app.suspend": []}',
  );
  expect(warnings).toEqual([]);
  useKeys(keys);
  expect(["\u0005", "\u000f", "\u001bOQ", "\u0018", "\u001b", "\u001a"].map(actionOf)).toEqual([
    "app.expand",
    undefined,
    "app.interrupt",
    "app.interrupt",
    undefined,
    undefined,
  ]);
  expect([keyText("app.expand"), keyText("app.interrupt"), keyText("app.suspend")]).toEqual([
    "Ctrl+E",
    "F2",
    "",
  ]);
  expect(pickerHint()).toBe("↑↓ move · type to narrow · Enter takes · F3 leaves");
  expect(keyHelp().find(([, help]) => help.startsWith("stop"))?.[0]).toBe("F2, Ctrl+X");
  const card = {
    ...({ toolName: "grep", args: {}, status: "ok", output: "1\n2\n3\n4\n5", details: undefined } as const),
    ...{ durationMs: undefined, isExpanded: false },
  };
  const look = { paint: createPaint(false), highlight: (code: string) => code.split("\n") };
  expect(toolCardLines(card, 60, look).at(-1)).toBe("  … +1 line (Ctrl+E)");
});

test("UI-21: what one action is given is not taken from another", () => {
  useKeys(parseKeyFile('{"app.expand": "ctrl+k"}').keys);
  const rows = keyTable().filter(([, keys]) => keys.split(", ").includes("Ctrl+K"));
  expect(rows.map(([name]) => name)).toEqual(["app.expand", "tui.editor.deleteToLineEnd"]);
});

test("what a key file has wrong is told by name, and the rest counts", () => {
  const { keys, warnings } = parseKeyFile(
    '{"app.fly": "f1", "app.quit": "ctrl+", "app.clear": 3, "app.expand": "f4"}',
  );
  expect(keys).toEqual({ "app.expand": ["f4"] });
  expect(warnings).toEqual([
    'keybindings.json: there is no action "app.fly"; /hotkeys lists them.',
    'keybindings.json: app.quit has no key such as "ctrl+o".',
    'keybindings.json: app.clear has no key such as "ctrl+o".',
  ]);
  expect(parseKeyFile("{").warnings).toEqual(["keybindings.json is not JSON; the keys are as they come."]);
  expect(parseKeyFile("[]").warnings).toEqual(["keybindings.json is no object; the keys are as they come."]);
  expect(parseKeyFile(undefined)).toEqual({ keys: {}, warnings: [] });
});

/** Every view that stands in the editor's place, with two messages to choose from; what it answers goes into `log`. */
async function createViews(log: unknown[]) {
  const session = await new MemoryRepo().create({ cwd: "/x" });
  for (const content of ["first", "second"])
    await session.appendMessage({ role: "user", content, timestamp: 0 });
  const onDone = (answer: unknown) => log.push(answer);
  const paint = createPaint(false);
  const [roots, leafId, entries] = [
    await session.getTree(),
    session.getLeafId(),
    await session.getEntries(),
  ] as const;
  const inspected = entries.map(({ id, type }) => ({
    ...{ entryId: id, type, role: "user", state: "in" as const, reason: "", tokens: 1, costUsd: 0 },
  }));
  return {
    tree: new TreeView({
      ...{ roots, leafId, look: FIRST_LOOK, title: "Tree", paint, now: () => 0, onDone },
    }),
    context: new ContextView({
      inspection: { tokens: 1, isEstimate: false, sources: [], entries: inspected },
      ...{ size: { contextWindow: 10, triggerTokens: 9 }, look: FIRST_CONTEXT_LOOK, paint, onDone },
      entries: new Map(entries.map((entry) => [entry.id, entry])),
    }),
    text: new TextEditor({
      ...{ tui: new TuiMainScreen(createFakeTerminal()), title: "Draft", text: "words", paint, onDone },
    }),
    picker: new Picker({ title: [], choices: [{ value: "a", label: "a" }], paint, onDone }),
    prompt: new TextPrompt({ title: [], text: "line", paint, onDone }),
  };
}

/** Each action of the views with another key. */
const REMAPPED = {
  "view.filter": "f4",
  "view.fold": "f5",
  "view.unfold": "f6",
  "view.label": "f7",
  "view.request": "f8",
  "view.take": "f9",
  "tui.select.up": "f10",
  "tui.select.down": "f11",
  "tui.select.confirm": "f12",
  "tui.select.cancel": "f1",
  "tui.editor.deleteCharBackward": "ctrl+h",
  "app.interrupt": "f2",
};
const [F1, F4, F5, F6, F7, F8, F9, F10, F12] = [
  ...["\u001bOP", "\u001bOS", "\u001b[15~", "\u001b[17~", "\u001b[18~", "\u001b[19~", "\u001b[20~"],
  ...["\u001b[21~", "\u001b[24~"],
] as const;
const CTRL_H = "\u001b[104;5u";
const OLD_KEYS = [
  "\t",
  "\u001b[D",
  "\u001b[C",
  "\u000c",
  "\u0010",
  "\u0013",
  "\u001b[A",
  "\r",
  "\u001b",
  "\u007f",
];

test("UI-21: with every key another one, the views hear the new ones, show them, and hear the old ones no more", async () => {
  useKeys(parseKeyFile(JSON.stringify(REMAPPED)).keys);
  const log: unknown[] = [];
  const views = await createViews(log);
  const hint = (view: Component) => view.render(200).at(-1);
  expect(Object.values(views).map(hint)).toEqual([
    "F10/F11 move · F5/F6 fold · type to search · F4 filters · F7 labels · F12 chooses · F1 leaves",
    "F10/F11 move · type to search · F4 filters · F12 acts · F8 the exact request · F1 leaves",
    "F9 takes it · F1 gives it up",
    "F10/F11 move · type to narrow · F12 takes · F1 leaves",
    "F12 takes · F1 leaves",
  ]);
  const listed = (view: Component) => view.render(80).slice(0, -1);
  for (const view of [views.tree, views.context, views.picker]) {
    const before = listed(view);
    for (const key of OLD_KEYS) view.handleInput(key);
    expect(listed(view)).toEqual(before);
    for (const key of ["z", "z", CTRL_H, CTRL_H]) view.handleInput(key);
    expect(listed(view)).toEqual(before);
  }
  for (const key of OLD_KEYS.slice(5, -1)) views.text.handleInput(key);
  expect(log).toEqual([]);

  for (const key of [F10, F5, F6, F4, F7, F12, F1]) views.tree.handleInput(key);
  for (const key of [F10, F4, F8, F12, F1]) views.context.handleInput(key);
  for (const key of [F9, F1]) views.text.handleInput(key);
  for (const view of [views.picker, views.prompt]) for (const key of [F12, F1]) view.handleInput(key);
  expect(
    log.map((answer) => (typeof answer === "object" ? (answer as { kind: string }).kind : answer)),
  ).toEqual([
    ...["label", "choose", undefined, "request", "choose", undefined],
    ...["\nwords", undefined, "a", undefined, "line", undefined],
  ]);
  expect(failureNotice({ code: "agent_busy" })).toBe("Busy. Press F2 to stop, or wait.");
});

test("UI-21: what has no key is not named in a hint, and every key of a view is in the table of all keys", async () => {
  useKeys(parseKeyFile('{"view.label": [], "view.fold": [], "view.filter": []}').keys);
  const { tree } = await createViews([]);
  expect(tree.render(200).at(-1)).toBe("↑↓ move · → fold · type to search · Enter chooses · Esc leaves");
  tree.handleInput("z");
  expect(tree.render(200)).toContain("  nothing here");
  expect(keyTable().filter(([name]) => name.startsWith("view."))).toHaveLength(6);
});
