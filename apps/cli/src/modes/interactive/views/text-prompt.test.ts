import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { createPaint } from "../theme.ts";
import { TextPrompt } from "./text-prompt.ts";

const [ENTER, BACKSPACE, CTRL_U] = ["\r", "\u007f", "\u0015"];

test.each([
  { name: "more is written behind it", text: "a/b\nc", keys: ["!"], taken: "a/b c!" },
  { name: "its end is taken away", text: "wide 报错", keys: [BACKSPACE], taken: "wide 报" },
  { name: "all of it is taken away", text: "http://localhost", keys: [CTRL_U, "x"], taken: "x" },
  { name: "there is none", text: "", keys: ["x"], taken: "x" },
])("UI-10: the caret stands behind the text that is there at first: $name", ({ text, keys, taken }) => {
  const answers: (string | undefined)[] = [];
  const prompt = new TextPrompt({
    ...{ title: [], text, paint: createPaint(false), onDone: (answer) => answers.push(answer) },
  });
  for (const key of [...keys, ENTER]) prompt.handleInput(key);
  expect(answers).toEqual([taken]);
});

test.each([{ isSecret: true }, { isSecret: false }])(
  "B196: a line of text fits from two columns on: %o",
  ({ isSecret }) => {
    const prompt = new TextPrompt({
      title: ["a title"],
      isSecret,
      paint: createPaint(false),
      onDone: () => {},
    });
    for (const key of "sk-".repeat(40)) prompt.handleInput(key);
    for (let width = 2; width <= 130; width++) {
      expect(prompt.render(width).every((line) => visibleWidth(line) <= width)).toBe(true);
    }
  },
);
