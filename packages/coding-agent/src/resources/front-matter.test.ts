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
  {
    name: "B220: a colon in a value over several lines, lists beside it",
    head: "tools: [a, b]\ndescription: Use when: x\n  or y\nargument-hint: [file] [line]",
    fields: { tools: ["a", "b"], description: "Use when: x or y", "argument-hint": "[file] [line]" },
  },
  {
    name: "types are text, a map is JSON",
    head: "a: true\nm:\n  k: 1",
    fields: { a: "true", m: '{"k":"1"}' },
  },
  { name: "a folded block", head: "d: >-\n  one\n  two\n\n  three", fields: { d: "one two\nthree" } },
  { name: "a literal block", head: "d: |\n  one\n    two", fields: { d: "one\n  two" } },
  { name: "a value over several lines", head: "d: one\n  two", fields: { d: "one two" } },
  { name: "lists", head: "a: [x, 'y']\nb:\n- p\n- q", fields: { a: ["x", "y"], b: ["p", "q"] } },
  { name: "a comment and a blank line", head: "# c\n\na: 1", fields: { a: "1" } },
])("CX-04: $name", async ({ head, fields }) => {
  expect(
    await parseFrontMatter(`\uFEFF---\r\n${head.replaceAll("\n", "\r\n")}\r\n---\r\n\r\nBody\r\n`),
  ).toEqual({
    fields,
    body: "Body\n",
    diagnostics: [],
  });
});

test("CX-04: what is no field is named with its line, and the rest counts", async () => {
  expect(await parseFrontMatter("---\nname: x\n???\n---\nB")).toEqual({
    fields: { name: "x" },
    body: "B",
    diagnostics: ["line 3: Implicit map keys need to be followed by map values"],
  });
  expect((await parseFrontMatter("---\nname: x\n")).diagnostics).toEqual([
    'line 1: the head that begins with "---" does not end',
  ]);
  expect(await parseFrontMatter("No head")).toEqual({ fields: {}, body: "No head", diagnostics: [] });
});

test("CX-04: aliases that multiply and lists without end are taken word for word", async () => {
  const next = (_: unknown, index: number) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`;
  const bomb = ["a0: &a0 [x, x]", ...Array.from({ length: 30 }, next)].join("\n");
  for (const head of [bomb, `a: ${"[".repeat(30_000)}`]) {
    const { fields, body } = await parseFrontMatter(`---\n${head}\n---\nBody`);
    expect(JSON.stringify(fields).length).toBeLessThan(head.length * 2);
    expect(body).toBe("Body");
  }
});
