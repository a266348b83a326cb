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
