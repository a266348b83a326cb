import { expect, test } from "vitest";
import { joinPrompt } from "./prompt-input.ts";

test.each([
  { name: "words alone", words: "sum", piped: "", expected: "sum" },
  { name: "piped text alone", words: "", piped: "data\n", expected: "data\n" },
  { name: "B212: both", words: "sum", piped: "1\n2\n", expected: "sum\n\n<stdin>\n1\n2\n</stdin>" },
  { name: "words and a blank pipe", words: "sum", piped: "\n", expected: "sum" },
  { name: "nothing", words: " ", piped: "\n", expected: undefined },
])("the prompt is made of $name", ({ words, piped, expected }) => {
  expect(joinPrompt(words, piped)).toBe(expected);
});
