import { expect, test } from "vitest";
import { mergeFileLists, recentFilesOf } from "./file-operations.ts";
import { fileListsOf, fileTouchesOf } from "./file-touches.ts";
import { assistantMessage } from "./testing/index.ts";

test("CO-22: a file both read and modified is listed as modified only, lists are sorted unions", () => {
  const a = { readFiles: ["b", "a"], modifiedFiles: ["m"] };
  const b = { readFiles: ["m", "c"], modifiedFiles: ["a"] };
  expect(mergeFileLists(a, b)).toEqual({ readFiles: ["b", "c"], modifiedFiles: ["a", "m"] });
});

test.each([undefined, null, 5, { readFiles: "a" }, { readFiles: [1, "", "a"] }])(
  "%j is no reason to fail",
  (value) => {
    expect(fileListsOf(value).modifiedFiles).toEqual([]);
  },
);

test("the most recent files come newest first with their last operation", () => {
  const call = (name: string, path: string) =>
    assistantMessage([{ type: "toolCall", id: `${name}-${path}`, name, arguments: { path } }]);
  const messages = [
    call("read", "a"),
    call("read", "b"),
    call("edit", "a"),
    call("grep", "c"),
    call("read", "d"),
  ];
  expect(recentFilesOf(fileTouchesOf(messages), 2)).toEqual([
    { path: "d", operation: "read" },
    { path: "a", operation: "edit" },
  ]);
});
