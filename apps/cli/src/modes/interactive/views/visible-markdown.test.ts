import { stripVTControlCharacters } from "node:util";
import { Markdown } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownTheme } from "../theme.ts";
import { MarkdownBody } from "./markdown-body.ts";
import { visibleMarkdown } from "./visible-markdown.ts";

const plain = (_: string, text: string) => text;

function drawn(text: string): string {
  const body = new MarkdownBody(plain as never);
  body.setText(text);
  return stripVTControlCharacters(body.render(100).join("\n"));
}

test.each([
  ["a comment", "before <!-- note --> after", "before <!-- note --> after"],
  ["a comment of its own", "one\n\n<!-- note -->\n\ntwo", "<!-- note -->"],
  [
    "a definition",
    'see [the log][ref]\n\n[ref]: https://example.com/log "title"',
    "[ref]: https://example.com/log",
  ],
  ["an image", "![the mill](img/mill.png)", "img/mill.png"],
  ["numbers", "1. one\n3. three\n7. seven", "7. seven"],
])("UI-16: %s is shown", (_, text, wanted) => {
  expect(drawn(text)).toContain(wanted);
});

test("UI-16: code stays as it is", () => {
  const code = "```html\n<!-- note -->\n![a](b)\n[ref]: x\n```";
  expect(visibleMarkdown(`${code}\n\n- item\n    ${code.replaceAll("\n", "\n    ")}`)).not.toContain("\\");
  expect(visibleMarkdown("use `<!-- x -->` and ``a ` ![b](c)`` or vec![1]")).not.toContain("\\");
  expect(visibleMarkdown("`open <!-- x -->")).toBe("`open \\<!-- x -->");
});

test("UI-16: no letter of an answer is lost, whatever it is made of", () => {
  let count = 0;
  const word = () => `w${(count++).toString(36)}x`;
  const piece = fc.constantFrom<() => string>(
    () => `# ${word()}\n\n`,
    () => `${word()} **${word()}** *${word()}* \`${word()}\` ~~${word()}~~\n`,
    () => `- ${word()}\n  - ${word()}\n`,
    () => `${1 + (count % 9)}. ${word()}\n`,
    () => `> ${word()}\n> - ${word()}\n\n`,
    () => `\`\`\`ts\n${word()} <!-- ${word()} -->\n\`\`\`\n\n`,
    () => `| ${word()} | ${word()} |\n|---|---|\n| ${word()} | ${word()} |\n\n`,
    () => `<!-- ${word()}\n${word()} -->\n`,
    () => `<div>${word()}</div>\n\n`,
    () => `[${word()}]: https://${word()}.example\n\n`,
    () => `![${word()}](${word()}.png) [${word()}](https://${word()}.example)\n`,
    () => `$${word()}$ \\(${word()}\\)\n`,
    () => `    ${word()}\n`,
    () => "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.map((make) => make()).join("");
      const shown = drawn(text).replaceAll(/\s/g, "");
      for (const [letters] of text.matchAll(/w[0-9a-z]+x/g)) expect(shown).toContain(letters);
    }),
    { numRuns: 300 },
  );
});

test("UI-16: the parser that draws would hide it", () => {
  const theme = markdownTheme(plain as never);
  expect(new Markdown("a <!-- b --> c", 0, 0, theme).render(80).join("")).not.toContain("b");
});

test("UI-16, UI-17: hostile lines cost what their length costs", () => {
  for (const unit of ["`a``b```c", "![", "<!--", "[a", "> - ", "`"]) {
    const line = `${unit.repeat(50_000)} <!-- x`;
    expect(visibleMarkdown(line)).toContain("x");
  }
});
