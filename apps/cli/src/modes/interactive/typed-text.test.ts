import { expect, test } from "vitest";
import { queryAfter, typedText } from "./typed-text.ts";

const BACKSPACE = "\u007f";

test.each([
  ["a", "a"],
  ["日本", "日本"],
  ["e\u0301", "e\u0301"],
  ["\u0e33", "\u0e33"],
  ["😀", "😀"],
  ["\u001b[97u", "a"],
  ["\u001b[A", undefined],
  ["\u001b", undefined],
  ["\r", undefined],
  ["", undefined],
])("typed text of %j", (data, text) => {
  expect(typedText(data)).toBe(text);
});

test("a query grows by what is typed and loses whole characters", () => {
  expect(queryAfter("", " a")).toBe("a");
  expect(queryAfter("a", "ि")).toBe("aि");
  expect(queryAfter("a😀", BACKSPACE)).toBe("a");
  expect(queryAfter("", BACKSPACE)).toBe("");
  expect(queryAfter("a", "\u001b[B")).toBeUndefined();
});
