import { TuiMainScreen } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { FirstScreen } from "./first-screen.ts";
import { Layout } from "./layout.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";
import { createPaint } from "./theme.ts";

const ENTER = "\r";
const ALT_UP = "\u001b[1;3A";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

function createScreen() {
  const tui = new TuiMainScreen(createFakeTerminal());
  const paint = createPaint(false);
  const layout = new Layout(tui, paint);
  const first = new FirstScreen({
    ...{ tui, layout, paint, directory: "~/project", now: () => 0, suspend: () => {} },
  });
  const type = (...keys: readonly string[]) => {
    for (const key of keys) first.editor.handleInput(key);
  };
  return { first, type, shown: () => tui.render(60).map((line) => line.trimEnd()) };
}

test("what is sent before the agent is there is shown, kept in order and taken once", () => {
  const { first, type, shown } = createScreen();
  type(..."explain this", ENTER, ..."/help", ENTER, ENTER, ..."half a li");
  expect(shown().filter((line) => line.startsWith("›"))).toEqual(["› explain this", "› /help"]);
  expect(first.takeLines()).toEqual(["explain this", "/help"]);
  expect(first.takeLines()).toEqual([]);
  expect(first.editor.getText()).toBe("half a li");
});

test("what was sent too early comes back to the editor with Alt+Up", () => {
  const { first, type, shown } = createScreen();
  type(..."one", ENTER, ..."two", ENTER, ..."three", ALT_UP);
  expect(first.editor.getText()).toBe("one\n\ntwo\n\nthree");
  expect(first.takeLines()).toEqual([]);
  expect(shown().filter((line) => line.startsWith("›"))).toEqual([]);
});

test("what the agent waits for stands above what is sent, until it is over", () => {
  const { first, type, shown } = createScreen();
  type(..."explain this", ENTER);
  first.showWaiting("Waiting for the oak …");
  type(..."/help", ENTER);
  expect(shown().filter((line) => /^[›W]/.test(line))).toEqual([
    ...["Waiting for the oak …", "› explain this", "› /help"],
  ]);
  first.showWaiting(undefined);
  expect(shown().join("\n")).not.toContain("Waiting");
});

test("Ctrl+D and a second Ctrl+C leave before anything is loaded", async () => {
  for (const keys of [[CTRL_D], [CTRL_C, CTRL_C]]) {
    const { first, type } = createScreen();
    type(...keys);
    await first.left;
    expect(first.takeLines()).toEqual([]);
  }
});

test("the editor goes over to the next listener with what is written in it", () => {
  const { first, type } = createScreen();
  const sent: string[] = [];
  type(..."draft");
  first.editor.connect({ onKey: () => false, onSubmit: (text) => sent.push(text) });
  type(..." done", ENTER);
  expect([sent, first.takeLines()]).toEqual([["draft done"], []]);
});
