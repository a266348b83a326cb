import { stripVTControlCharacters } from "node:util";
import { Markdown } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownTheme } from "../theme.ts";
import { MarkdownBody } from "./markdown-body.ts";
import { visibleMarkdown } from "./visible-markdown.ts";

const plain = (_: string, text: string) => text;

function bodyOf(text: string): MarkdownBody {
  const body = new MarkdownBody(plain as never);
  body.setText(text);
  return body;
}

function drawn(text: string): string {
  return stripVTControlCharacters(bodyOf(text).render(100).join("\n"));
}

test("UI-16: what follows a definition of a link is drawn as without it, also where formulas are drawn", () => {
  const text = "[ref]: https://x.example\n\n# Head\n\nsome **bold** text \\]";
  for (const renderLatex of [false, true]) {
    const options = { renderLatex, transform: visibleMarkdown };
    const lines = new Markdown(text, 0, 0, markdownTheme(plain as never), undefined, options).render(60);
    expect(lines.map((line) => stripVTControlCharacters(line).trim())).toContain("some bold text ]");
  }
});

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
    () => `| ${word()} |\n|---|\n| ${word()} | ${word()} | ${word()} |\n\n`,
    () => `- ${word()} | ${word()}\n  -|-\n  ${word()} | ${word()} \\| ${word()} | ${word()}\n\n`,
    () => `> ${word()} | ${word()}\n> :-:|:-:\n> ${word()} || ${word()} | \`${word()}|\`${word()} |\n\n`,
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

test("UI-16: every cell of every row of a table is shown, whole and at every moment of its stream", () => {
  const cell = fc.constantFrom("w", "`w`", "**w**", "", "\\|", "w \\\\", "`w \\| w`");
  const row = fc.record({
    cells: fc.array(cell, { minLength: 1, maxLength: 9 }),
    begin: fc.constantFrom("|", "| ", ""),
    end: fc.constantFrom("|", " |", "", " | "),
  });
  fc.assert(
    fc.property(
      fc.constantFrom("", "  ", "> ", "> > "),
      fc.integer({ min: 1, max: 4 }),
      fc.array(row, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      (prefix, columns, rows, seed) => {
        let count = 0;
        const named = (text: string) => text.replaceAll("w", () => `w${(count++).toString(36)}x`);
        const text = [
          `|${" head |".repeat(columns)}`,
          `|${"---|".repeat(columns)}`,
          ...rows.map(({ cells, begin, end }) => `${begin}${cells.map(named).join(" | ")}${end}`),
        ]
          .map((line) => prefix + line)
          .join("\n");
        const body = new MarkdownBody(plain as never);
        const shows = (source: string) => {
          const shown = stripVTControlCharacters(body.render(400).join("\n"));
          for (const [letters] of source.matchAll(/w[0-9a-z]+x/g)) expect(shown).toContain(letters);
        };
        for (let at = 0; at < text.length; ) {
          const next = at + 1 + (seed % 17);
          body.append(text.slice(at, next));
          shows(text.slice(0, next));
          at = next;
        }
        expect(body.render(400)).toEqual(bodyOf(text).render(400));
      },
    ),
    { numRuns: 60 },
  );
});

test("UI-16: cells beyond the header stand in the last column, as they were written", () => {
  expect(drawn("| a | b |\n|---|---|\n| 1 | `x || y` | z |\n| 2 | 3 |")).toMatchInlineSnapshot(`
    "┌───┬────────────┐                                                                                  
    │ a │ b          │                                                                                  
    ├───┼────────────┤                                                                                  
    │ 1 │ x || y | z │                                                                                  
    ├───┼────────────┤                                                                                  
    │ 2 │ 3          │                                                                                  
    └───┴────────────┘                                                                                  "
  `);
  for (const text of ["a | b | c\n\nd | e | f", "```\n|a|\n|-|\n|1|2|\n```", "    |a|\n    |-|\n    |1|2|"])
    expect(visibleMarkdown(text)).toBe(text);
});

test("UI-16: the parser that draws would hide it", () => {
  const theme = markdownTheme(plain as never);
  expect(new Markdown("a <!-- b --> c", 0, 0, theme).render(80).join("")).not.toContain("b");
});

test("UI-16, UI-17: hostile lines cost what their length costs", () => {
  for (const unit of ["`a``b```c", "![", "<!--", "[a", "> - ", "`", "|", "\\|", " "]) {
    const line = `${unit.repeat(50_000)} <!-- x`;
    expect(visibleMarkdown(line)).toContain("x");
    expect(visibleMarkdown(`|a|\n|-|\n${line}\n-${line}`)).toContain("x");
  }
});
