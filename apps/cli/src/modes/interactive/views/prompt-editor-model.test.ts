import { TuiMainScreen } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { createPaint } from "../theme.ts";
import { PromptEditor } from "./prompt-editor.ts";

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What an editor does, in the simplest way: graphemes before and behind the caret. */
class Reference {
  before: string[] = [];
  after: string[] = [];

  apply(key: string): void {
    if (key === "\u007f") this.before.pop();
    else if (key === "\u001b[3~") this.after.shift();
    else if (key === "\u001b[D") this.#move(this.before, this.after, "pop");
    else if (key === "\u001b[C") this.#move(this.after, this.before, "shift");
    else if (key === "\u0001")
      while (this.before.length > 0 && this.before.at(-1) !== "\n") this.apply("\u001b[D");
    else if (key === "\u0005") while (this.after.length > 0 && this.after[0] !== "\n") this.apply("\u001b[C");
    else this.before.push(key);
    // What stands beside each other may be one character now.
    const graphemes = (text: string) => [...GRAPHEMES.segment(text)].map(({ segment }) => segment);
    this.before = graphemes(this.before.join(""));
    this.after = graphemes(this.after.join(""));
  }

  #move(from: string[], to: string[], end: "pop" | "shift"): void {
    const grapheme = end === "pop" ? from.pop() : from.shift();
    if (grapheme === undefined) return;
    if (end === "pop") to.unshift(grapheme);
    else to.push(grapheme);
  }

  get text(): string {
    return [...this.before, ...this.after].join("");
  }
}

function createEditor() {
  return new PromptEditor({
    tui: new TuiMainScreen(createFakeTerminal()),
    paint: createPaint(false),
    onKey: () => false,
    onSubmit: () => {},
  });
}

const LEFT_RIGHT_DELETE = ["\u007f", "\u001b[3~", "\u001b[D", "\u001b[C", "\u0001", "\u0005"];

test("UI-10: typing, deleting and moving agree with a naive editor, wide characters and new lines included", {
  timeout: 60_000,
}, () => {
  const key = fc.constantFrom(..."ab 报ж", "é", "👍", "\n", ...LEFT_RIGHT_DELETE);
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
      const [editor, reference] = [createEditor(), new Reference()];
      for (const one of keys) {
        editor.handleInput(one);
        reference.apply(one);
        expect(editor.getText()).toBe(reference.text);
      }
    }),
    { numRuns: 200 },
  );
});

test("UI-05, UI-10: whatever is done to a text with large pastes, undoing all of it brings the first text back", {
  timeout: 60_000,
}, () => {
  const paste = `\u001b[200~${Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n")}\u001b[201~`;
  const key = fc.constantFrom(..."ab ", paste, ...LEFT_RIGHT_DELETE);
  fc.assert(
    fc.property(fc.array(key, { maxLength: 25 }), (keys) => {
      const editor = createEditor();
      editor.setText("first");
      for (const one of keys) editor.handleInput(one);
      expect(editor.getExpandedText()).not.toContain("[paste #");
      for (let undone = 0; undone <= keys.length; undone++) editor.handleInput("\u001f");
      expect(["first", ""]).toContain(editor.getExpandedText());
    }),
    { numRuns: 100 },
  );
});

test("UI-11: completions that come late for another text never show, and never move the mark", async () => {
  const editor = createEditor();
  const waiting: ((names: readonly string[]) => void)[] = [];
  editor.setAutocompleteProvider({
    getSuggestions: (lines, _line, col) =>
      new Promise((resolve) =>
        waiting.push((names) =>
          resolve({
            items: names.map((value) => ({ value, label: value })),
            prefix: (lines[0] ?? "").slice(0, col),
          }),
        ),
      ),
    applyCompletion: (_lines, cursorLine, cursorCol, item) => ({
      lines: [`/${item.value}`],
      cursorLine,
      cursorCol,
    }),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  editor.handleInput("/");
  await settle();
  editor.handleInput("q");
  await settle();
  const [first] = waiting;
  first?.(["late"]);
  await settle();
  // The next question may wait for the one before it to end.
  for (const answer of waiting.slice(1)) answer(["quit", "queue"]);
  await settle();
  expect(editor.render(60).join("\n")).not.toContain("late");
  expect(editor.isShowingAutocomplete()).toBe(true);
  editor.handleInput("\u001b[B");
  for (const answer of waiting) answer(["late"]);
  await settle();
  expect(editor.render(60).find((line) => line.includes("→"))).toContain("queue");
});
