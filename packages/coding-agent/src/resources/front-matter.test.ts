import { expect, test } from "vitest";
import { parseFrontMatter } from "./front-matter.ts";

test.each([
  {
    name: "plain and quoted",
    head: "name: x\na: \"q: \\\"1\\\"\" # c\nb: 'it''s'",
    fields: { name: "x", a: 'q: "1"', b: "it's" },
  },
  {
    name: "B220: an unquoted colon",
    head: "description: Use when: x",
    fields: { description: "Use when: x" },
  },
  { name: "a folded block", head: "d: >-\n  one\n  two\n\n  three", fields: { d: "one two\nthree" } },
  { name: "a literal block", head: "d: |\n  one\n    two", fields: { d: "one\n  two" } },
  { name: "a value over several lines", head: "d: one\n  two", fields: { d: "one two" } },
  { name: "lists", head: "a: [x, 'y']\nb:\n- p\n- q", fields: { a: ["x", "y"], b: ["p", "q"] } },
  { name: "a comment and a blank line", head: "# c\n\na: 1", fields: { a: "1" } },
])("CX-04: $name", ({ head, fields }) => {
  expect(parseFrontMatter(`\uFEFF---\r\n${head.replaceAll("\n", "\r\n")}\r\n---\r\n\r\nBody\r\n`)).toEqual({
    fields,
    body: "Body\n",
    diagnostics: [],
  });
});

test("CX-04: what is no field is named with its line, and the rest counts", () => {
  expect(parseFrontMatter("---\nname: x\n???\n---\nB")).toEqual({
    fields: { name: "x" },
    body: "B",
    diagnostics: ['line 3: "???" is no field'],
  });
  expect(parseFrontMatter("---\nname: x\n").diagnostics).toEqual([
    'line 1: the head that begins with "---" does not end',
  ]);
  expect(parseFrontMatter("No head")).toEqual({ fields: {}, body: "No head", diagnostics: [] });
});
