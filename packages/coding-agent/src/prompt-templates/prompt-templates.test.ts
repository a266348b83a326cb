import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "../testing/memory-environment.ts";
import { expandTemplate } from "./expand-template.ts";
import { loadPromptTemplates } from "./load-prompt-templates.ts";
import { splitArguments } from "./split-arguments.ts";

test.each([
  ["a  b\nc", ["a", "b", "c"]],
  ['"a b" c', ["a b", "c"]],
  ['a "" b', ["a", "", "b"]],
  ["don't stop", ["don't", "stop"]],
  ["'a b' c", ["a b", "c"]],
  ['--x="a b"', ["--x=a b"]],
  ['"a \\"b\\"', ['"a', '\\"b\\"']],
  ["", []],
])("CX-05: %j is split into %j", (text, expected) => {
  expect(splitArguments(text)).toEqual(expected);
});

test.each([
  { template: "Fix $1 in $2.", args: "bug file", expected: "Fix bug in file." },
  { template: "All: $@ / $ARGUMENTS", args: ' "a b" c ', expected: 'All: "a b" c / "a b" c' },
  { template: "\u0024{1:-x} \u0024{2:-y z}", args: "a", expected: "a y z" },
  { template: "\u0024{@:-nothing}", args: "", expected: "nothing" },
  { template: "\u0024{@:2} | \u0024{@:2:1}", args: "a b c", expected: "b c | b" },
  { template: "costs $10 $1", args: "$100 x", expected: "costs  $100" },
  { template: "$HOME $$ $", args: "x", expected: "$HOME $$ $" },
])("CX-05: $template with $args", ({ template, args, expected }) => {
  expect(expandTemplate(template, args)).toBe(expected);
});

test("CX-05: what is put in stands there word for word, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string(), (args) => {
      expect(expandTemplate("<$@>", args)).toBe(`<${args.trim()}>`);
    }),
  );
});

test("templates come from *.md, the project's over the user's; what cannot be a command is named", async () => {
  const { files } = createMemoryEnvironment({
    files: {
      "/user/fix.md": "---\ndescription: Fixes.\nargument-hint: <file>\n---\nFix $1.\n",
      "/user/review.md": "Review this.\nCarefully.",
      "/user/quit.md": "x",
      "/user/no good.md": "x",
      "/user/notes.txt": "x",
      "/project/review.md": "Review ours.",
    },
  });
  const { templates, diagnostics } = await loadPromptTemplates({
    files,
    roots: [
      { path: "/user", source: "user" },
      { path: "/project", source: "project" },
      { path: "/absent", source: "cli" },
    ],
    reserved: new Set(["quit"]),
  });
  expect(
    templates.map(({ name, description, argumentHint, template }) => [
      name,
      description,
      argumentHint,
      template,
    ]),
  ).toEqual([
    ["fix", "Fixes.", "<file>", "Fix $1.\n"],
    ["review", "Review ours.", undefined, "Review ours."],
  ]);
  expect(diagnostics).toEqual([
    '/user/no good.md: "no good" cannot be the name of a command.',
    '/user/quit.md: the prompt template "quit" has the name of a built-in command, which wins.',
    '/user/review.md: the prompt template "review" is hidden by /project/review.md.',
  ]);
});
