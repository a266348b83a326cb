import { Markdown } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Highlighter } from "../highlight/highlighter.ts";
import { highlightHtml } from "../highlight/languages.ts";
import { createPaint, markdownTheme } from "../theme.ts";
import { MarkdownBody } from "./markdown-body.ts";
import { MarkdownCutter } from "./markdown-segments.ts";
import { visibleMarkdown } from "./visible-markdown.ts";

const paint = createPaint(true);
const long = "Words that fill a paragraph well. ".repeat(20).trim();
const code = Array.from({ length: 60 }, (_, line) => `const a${line} = "报错 ${line}"; // some words`).join(
  "\n",
);
/** What draws nothing is no line or an empty one. */
const trimmed = (lines: readonly string[]) => lines.map((line) => line.trimEnd()).join("\n");
function segmentsOf(text: string) {
  const cutter = new MarkdownCutter();
  cutter.add(text);
  return [...cutter.over, cutter.open()];
}
const texts = (text: string) => segmentsOf(text).map((segment) => segment.text);

async function coloured(): Promise<Highlighter> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const highlighter = new Highlighter({
    paint,
    load: () => Promise.resolve({ highlightHtml }),
    onLoad: resolve,
  });
  highlighter.lines("1", "ts");
  await promise;
  return highlighter;
}

/** What the renderer draws of the text as a whole. */
function whole(text: string, width: number, highlighter: Highlighter): string {
  const theme = markdownTheme(paint, (block, language) => highlighter.lines(block, language));
  const options = { renderLatex: false, preserveOrderedListMarkers: true, transform: visibleMarkdown };
  return trimmed(new Markdown(text, 0, 0, theme, undefined, options).render(width));
}

test("text is cut before a paragraph, a heading or a table at the margin, never inside a list or a quote", () => {
  for (const next of ["Next.\n", "# Head\n", "| a | b |\n", "```ts\n"]) {
    expect(texts(`${long}\n\n${next}`)).toEqual([long, next.trimEnd()]);
  }
  for (const all of [
    `${long}\n\n- item\n`,
    `${long}\n\n* item\n`,
    `${long}\n\n> quote\n`,
    `${long}\n\n    code\n`,
    `${long}\nsame paragraph\n`,
    `\`\`\`ts\n${long}\n\nstill code\n`,
    `- a\n  \`\`\`\n${long}\n\n  \`\`\`\n\nNext.\n`,
    `<div>\n${long}\n\nright below\n`,
    `<pre>\n${long}\n\nin the block\n\nstill\n`,
    `$$\n${long}\n\nin the formula\n`,
    `${long}\n\nnot a whole line yet`,
  ]) {
    expect(texts(all)).toEqual([all.trimEnd()]);
  }
  // Definitions and comments are shown, so they reach nowhere.
  const parts = [`${long} [a]\n\n[a]: http://x\n<!--`, long, "Next."];
  expect(texts(`${parts.join("\n\n")}\n`)).toEqual(parts);
});

test("tags and brackets within code do not reach anywhere; a block after HTML is cut off at the next one", () => {
  const page = `\`\`\`html\n<pre>\n[a]: ${long}\n\`\`\``;
  expect(texts(`${page}\n\nNext.\n`)).toEqual([page, "Next."]);
  expect(texts(`<br>\n\n${long}\n\nNext.\n`)).toEqual([`<br>\n\n${long}`, "Next."]);
});

test("UI-17: a long block of code is cut between lines where it is plain, and its borders are drawn once", async () => {
  const block = `~~~\n${code}\n\n${code}\n~~~\n\nNext.\n`;
  const segments = segmentsOf(block);
  expect(segments.length).toBeGreaterThan(4);
  for (const { text } of segments) expect(text.length).toBeLessThan(700);
  expect(segments.slice(0, 2).map(({ continuesCode, isContinued }) => [continuesCode, isContinued])).toEqual([
    [false, true],
    [true, true],
  ]);
  const highlighter = await coloured();
  for (const text of [block, `\`\`\`ts\n${`${code}\n`.repeat(8)}\`\`\`\n\nNext.\n`]) {
    for (const width of [2, 30, 80]) {
      const body = new MarkdownBody(paint, highlighter);
      body.setText(text);
      body.finish();
      expect(trimmed(body.render(width))).toEqual(whole(text, width, highlighter));
    }
  }
});

test("UI-17: while text is added, what is over stays as it was cut", () => {
  const text = Array.from({ length: 8 }, (_, index) => `# Part ${index}\n\n${long}\n\n- a\n- b\n`).join("\n");
  let before: readonly string[] = [];
  for (let end = 0; end <= text.length; end += 97) {
    const segments = texts(text.slice(0, end));
    expect(segments.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    before = segments;
  }
  expect(before.length).toBeGreaterThan(4);
});

const items = (marks: (index: number) => string, end = "\n") =>
  Array.from({ length: 30 }, (_, index) => `${marks(index)} item **${index}** of some words`).join(end);

test("UI-17: a long tight list is cut before its items; with a blank line between them it is one again", () => {
  const [bullets, numbers] = [items(() => "-"), items((index) => `${index + 3}.`)];
  for (const list of [bullets, numbers, `Text\n${bullets}`]) expect(texts(`${list}\n`).length).toBe(2);
  expect(texts(`${bullets}\n\nNext.\n`)).toHaveLength(2);
  for (const whole of [
    `${bullets}\n\n- loose\n`,
    `${bullets}\n\n  goes on\n`,
    items(() => "-", "\n\n"),
    items((index) => (index % 2 === 0 ? "-" : "*")),
    items(() => "1."),
    `Text\n${numbers}\n`,
    `- a\n  \`\`\`\n  x\n  \`\`\`\n${bullets}`,
  ]) {
    expect(texts(whole)).toEqual([whole.trimEnd()]);
  }
});

const block = fc.constantFrom(
  ...[
    ...[long, "# Head", "- a\n- b", "1. a\n2. b", "> quote", "> quote\nlazy", "~~~\nx\n~~~", "* star", "---"],
    ...[
      "```ts\nconst a = 1;\n\nconst b = 2;\n```",
      `\`\`\`\n${code}\n\`\`\``,
      `~~~~\n\n${code}\n\n~~~\n~~~~~`,
    ],
    ...["|a|b|\n|-|-|\n|1|2|", "**bold** text", "`code` first", "报错 text", "_under_ score", "~~gone~~"],
    ...[
      "```not`a fence\n\ntext",
      "  ```\nx\n\ny\n  ```",
      "- a\n\n  ```\n  in a list\n  ```",
      "- ```\n  x\n  ```",
    ],
    ...[
      "<div>\nhtml",
      "<br>",
      "<!-- gone -->",
      "<!-- far\n\naway -->",
      "$$\na\n\n# b\n$$",
      "$$x$$",
      "\\[ y \\]",
    ],
    ...[
      items(() => "-"),
      items((index) => `${index + 1}.`),
      items((index) => `${index + 9})`),
      items(() => "1."),
    ],
    ...[
      items(() => "*", "\n  - nested\n"),
      items(() => "- [x]", "\n\n"),
      items(() => "+", "\nlazy\n"),
      "+ plus\n# Head\n+ plus",
    ],
    ...["[a]: http://x", "see [a]", "```js\n<pre>\n[b]: c\n```", "```unclosed", "    indented\n\n    code"],
  ],
);

test("UI-16, UI-17: whatever the blocks, and however they come, the parts together look like the whole", async () => {
  const highlighter = await coloured();
  const gap = fc.constantFrom("\n\n", "\n\n", "\n\n\n", "\n");
  const blocks = fc.array(fc.tuple(block, gap), { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(blocks, fc.integer({ min: 90, max: 900 }), fc.constantFrom(60, 9), (parts, size, width) => {
      const text = parts.flat().join("");
      const body = new MarkdownBody(paint, highlighter);
      for (let at = 0; at < text.length; at += size) {
        const end = Math.min(text.length, at + size);
        body.append(text.slice(at, end), text.slice(end, end + 3));
        body.render(width);
      }
      body.append("", "");
      body.finish();
      expect(trimmed(body.render(width))).toEqual(whole(text.trim(), width, highlighter));
    }),
    { numRuns: 1000 },
  );
});
