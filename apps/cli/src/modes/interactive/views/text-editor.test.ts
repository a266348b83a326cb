import { TuiMainScreen } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { createPaint } from "../theme.ts";
import { TextEditor } from "./text-editor.ts";

test("Enter is a new line, Ctrl+S takes the text, Esc gives it up", () => {
  const taken: (string | undefined)[] = [];
  const editor = new TextEditor({
    ...{ tui: new TuiMainScreen(createFakeTerminal()), title: "Draft", text: "one\n\u001b[31mtwo" },
    ...{ paint: createPaint(false), onDone: (text) => taken.push(text) },
  });
  for (const key of ["\r", ..."three", "\u0013", "\u001b"]) editor.handleInput(key);
  expect(taken).toEqual(["one\ntwo\nthree", undefined]);
  expect(editor.render(50)[1]).toBe("Draft");
  expect(editor.render(50).at(-1)).toBe("Ctrl+S takes it · Esc gives it up");
});
