import { setImmediate as nextTick } from "node:timers/promises";
import {
  CombinedAutocompleteProvider,
  CURSOR_MARKER,
  TuiMainScreen,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { expect, onTestFinished, test } from "vitest";
import { useKeys } from "../keymap.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { createPaint } from "../theme.ts";
import { PromptEditor } from "./prompt-editor.ts";
import { TextEditor } from "./text-editor.ts";

function createEditor() {
  const sent: string[] = [];
  const editor = new PromptEditor({
    tui: new TuiMainScreen(createFakeTerminal()),
    paint: createPaint(false),
    onKey: (data) => data === "\u001b",
    onSubmit: (text) => sent.push(text),
  });
  editor.focused = true;
  const type = (...keys: readonly string[]) => {
    for (const key of keys) editor.handleInput(key);
  };
  return { editor, type, sent };
}

const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;
const lines = Array.from({ length: 24 }, (_, index) => `line ${index + 1}`).join("\n");

test("B202: a large paste is a chip on the screen, and whole in what is sent, at once and as a follow-up", () => {
  const { editor, type, sent } = createEditor();
  type(paste(lines));
  expect(editor.getText()).toMatch(/^\[paste #1 \+24 lines\]$/);
  type("\r");
  expect(sent).toEqual([lines]);
  type(paste(lines));
  expect(editor.take()).toBe(lines);
  expect(editor.getText()).toBe("");
});

test("B202: a typed text that looks like a chip stays what it is", () => {
  const { type, sent } = createEditor();
  type(..."[paste #1 +24 lines]", "\r");
  expect(sent).toEqual(["[paste #1 +24 lines]"]);
});

test("B205: a modifier alone writes nothing, a key in the long form writes its character", () => {
  const { editor, type } = createEditor();
  type("\u001b[57441u", "\u001b[97u");
  expect(editor.getText()).toBe("a");
});

test("UI-10: a Backspace whose key does something else, or nothing, writes no character", () => {
  const { editor, type } = createEditor();
  const text = new TextEditor({
    ...{ tui: new TuiMainScreen(createFakeTerminal()), title: "", text: "", paint: createPaint(false) },
    onDone: () => {},
  });
  onTestFinished(() => useKeys());
  useKeys({ "tui.editor.deleteCharBackward": "ctrl+h" });
  type(..."abc", "\u007f", "\b");
  for (const key of [..."abc", "\u007f", "\b"]) text.handleInput(key);
  expect([editor.getText(), text.getText()]).toEqual(["ab", "ab"]);
  useKeys({ "tui.editor.deleteCharBackward": [], "tui.editor.cursorLeft": "backspace" });
  type("\u007f", "x");
  expect(editor.getText()).toBe("axb");
});

test("B207: the caret stands after three wide characters at their columns", () => {
  const { editor, type } = createEditor();
  type("报", "错", "树");
  const line = editor.render(40).find((candidate) => candidate.includes(CURSOR_MARKER)) ?? "";
  expect(visibleWidth(line.slice(0, line.indexOf(CURSOR_MARKER)))).toBe(1 + 6);
});

test("keys of the application do not reach the editor; text that comes back stands before what is being written", () => {
  const { editor, type } = createEditor();
  type("x", "\u001b");
  editor.prepend(["first", "second\u001b[2J"]);
  expect(editor.getText()).toBe("first\n\nsecond\n\nx");
  editor.setText("");
  editor.prepend(["👩\u200d👩\u200d👧 👍🏽"]);
  expect(editor.getText()).toBe("👩\u200d👩\u200d👧 👍🏽");
});

async function withMenu() {
  const made = createEditor();
  const names = ["help", "model", "new", "name", "quit"];
  made.editor.setAutocompleteProvider(
    new CombinedAutocompleteProvider(
      names.map((name) => ({ name })),
      "/nowhere",
    ),
  );
  made.type("/");
  while (!made.editor.isShowingAutocomplete()) await nextTick();
  return made;
}

test("a command that is typed faster than its completions come is sent as it was typed", async () => {
  for (const rest of ["quit", "new", "model demo", "nonsense"]) {
    const { type, sent } = await withMenu();
    type(...rest, "\r");
    expect(sent).toEqual([`/${rest}`]);
  }
});

test("Tab does not complete with what was found for another text", async () => {
  const { editor, type } = await withMenu();
  type(..."qu", "\t");
  expect(editor.getText()).toBe("/qu");
});

test("completions that fit the text are taken, and a whole command is left as it is", async () => {
  const { editor, type, sent } = await withMenu();
  type(..."q");
  for (let turn = 0; turn < 50; turn++) await nextTick();
  type("\r");
  expect(sent).toEqual(["/quit"]);
  type("/");
  while (!editor.isShowingAutocomplete()) await nextTick();
  type(..."new");
  for (let turn = 0; turn < 50; turn++) await nextTick();
  expect(editor.isShowingAutocomplete()).toBe(true);
  type("\r");
  expect(sent).toEqual(["/quit", "/new"]);
});

test("UI-13: looking through earlier prompts gives the draft back as it was, chips of pastes too", () => {
  const { editor, type } = createEditor();
  for (const prompt of ["first prompt", "second prompt"]) editor.addToHistory(prompt);
  type(..."half a thought ", paste(lines));
  const [shown, whole] = [editor.getText(), editor.getExpandedText()];
  type("\u0001", "\u001b[A", "\u001b[A");
  expect(editor.getText()).toBe("first prompt");
  type("\u0005", "\u001b[B", "\u001b[B");
  expect([editor.getText(), editor.getExpandedText()]).toEqual([shown, whole]);
});
