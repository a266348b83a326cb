import { Markdown } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPaint, markdownTheme } from "../theme.ts";
import { MarkdownBody } from "./markdown-body.ts";
import { markdownSegments } from "./markdown-segments.ts";

const paint = createPaint(false);
const long = "Words that fill a paragraph well. ".repeat(70).trim();
const trimmed = (lines: readonly string[]) => lines.map((line) => line.trimEnd());

test("text is cut before a paragraph or a heading at the margin, never inside a fence, a list or a quote", () => {
  expect(markdownSegments(`${long}\n\nNext.\n`)).toEqual([long, "Next.\n"]);
  expect(markdownSegments(`${long}\n\n# Head\n`)).toEqual([long, "# Head\n"]);
  for (const whole of [
    `${long}\n\n- item\n`,
    `${long}\n\n* item\n`,
    `${long}\n\n> quote\n`,
    `${long}\n\n    code\n`,
    `${long}\nsame paragraph\n`,
    `\`\`\`\n${long}\n\nstill code\n`,
    `${long}\n\n<div>\n\nin the block\n`,
    `${long} [a]\n\nNext.\n\n[a]: http://x\n`,
    `${long}\n\nnot a whole line yet`,
  ]) {
    expect(markdownSegments(whole)).toEqual([whole]);
  }
});

test("UI-17: while text is added, what is over stays as it was cut", () => {
  const text = Array.from({ length: 8 }, (_, index) => `# Part ${index}\n\n${long}\n\n- a\n- b\n`).join("\n");
  let before: readonly string[] = [];
  for (let end = 0; end <= text.length; end += 97) {
    const segments = markdownSegments(text.slice(0, end));
    expect(segments.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    before = segments;
  }
  expect(before.length).toBeGreaterThan(4);
});

test("whatever the blocks, the parts together look like the whole", () => {
  const block = fc.constantFrom(
    ...[
      long,
      "# Head",
      "- a\n- b",
      "1. a\n2. b",
      "> quote",
      "```ts\nconst a = 1;\n\nconst b = 2;\n```",
      "~~~\nx\n~~~",
    ],
    ...[
      "|a|b|\n|-|-|\n|1|2|",
      "**bold** text",
      "---",
      "`code` first",
      "报错 text",
      "* star",
      "_under_ score",
    ],
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), (blocks) => {
      const text = blocks.join("\n\n");
      const whole = new Markdown(text, 0, 0, markdownTheme(paint), undefined, { renderLatex: false });
      const body = new MarkdownBody(paint);
      for (let end = 0; end < text.length; end += 701) body.setText(text.slice(0, end));
      body.setText(text);
      expect(trimmed(body.render(60))).toEqual(trimmed(whole.render(60)));
    }),
  );
});
