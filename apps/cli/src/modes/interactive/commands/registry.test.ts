import { expect, test } from "vitest";
import { parseCommand, SLASH_COMMANDS } from "./registry.ts";

test.each([
  { text: "/quit", expected: { name: "quit", argument: "" } },
  { text: "  /name  pruning the tree ", expected: { name: "name", argument: "pruning the tree" } },
  { text: "/compact keep\nthe plan", expected: { name: "compact", argument: "keep\nthe plan" } },
  { text: "/usr/bin/env is missing", expected: undefined },
  { text: "/", expected: undefined },
  { text: "what does /quit do?", expected: undefined },
])("parseCommand $text", ({ text, expected }) => {
  expect(parseCommand(text)).toEqual(expected);
});

test("every command has a name of its own that can be typed", () => {
  const names = SLASH_COMMANDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(parseCommand(`/${name}`)).toEqual({ name, argument: "" });
});
