import fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, parseBlocks } from "./markdown-blocks.ts";
import { type Inline, isSafeUrl, parseInline } from "./markdown-inline.ts";

const plain = (text: string): Inline => ({ type: "text", text });
const paragraph = (text: string): Block => ({ type: "paragraph", text });

test.each<{ readonly name: string; readonly source: string; readonly blocks: readonly Block[] }>([
  {
    name: "headings, paragraphs with their line feeds, rules",
    source: "## Title ##\none\ntwo\n\n---\nthree",
    blocks: [
      { type: "heading", level: 2, text: "Title" },
      paragraph("one\ntwo"),
      { type: "rule" },
      paragraph("three"),
    ],
  },
  {
    name: "code with its language and its blank lines; an open fence holds the rest",
    source: "```ts\nconst a = 1;\n\n  b\n```\n~~~\n# no heading",
    blocks: [
      { type: "code", language: "ts", text: "const a = 1;\n\n  b" },
      { type: "code", language: "", text: "# no heading" },
    ],
  },
  {
    name: "nested lists and a paragraph inside an item",
    source: "- one\n  - inner\n- two\n\n  more\n\n3. three\n4. four",
    blocks: [
      {
        type: "list",
        start: undefined,
        items: [
          [paragraph("one"), { type: "list", start: undefined, items: [[paragraph("inner")]] }],
          [paragraph("two"), paragraph("more")],
        ],
      },
      { type: "list", start: 3, items: [[paragraph("three")], [paragraph("four")]] },
    ],
  },
  {
    name: "quotes and tables",
    source: "> said\n> twice\n\n| a | b |\n|---|:-:|\n| 1 | x \\| y |",
    blocks: [
      { type: "quote", blocks: [paragraph("said\ntwice")] },
      {
        type: "table",
        rows: [
          ["a", "b"],
          ["1", "x | y"],
        ],
      },
    ],
  },
  {
    name: "HTML as text",
    source: "<script>alert(1)</script>\n<details open>",
    blocks: [paragraph("<script>alert(1)</script>\n<details open>")],
  },
])("blocks: $name", ({ source, blocks }) => {
  expect(parseBlocks(source)).toEqual(blocks);
});

test.each<{ readonly source: string; readonly nodes: readonly Inline[] }>([
  {
    source: "a **b *c*** `d*`",
    nodes: [
      plain("a "),
      { type: "strong", children: [plain("b "), { type: "emphasis", children: [plain("c")] }] },
      plain(" "),
      { type: "code", text: "d*" },
    ],
  },
  { source: "snake_case_name 2 * 3 * 4", nodes: [plain("snake_case_name 2 * 3 * 4")] },
  { source: "\\*no\\* ~~gone~~", nodes: [plain("*no* "), { type: "deleted", children: [plain("gone")] }] },
  {
    source: '[the *page*](https://example.org/a_(b) "title")',
    nodes: [
      {
        type: "link",
        url: "https://example.org/a_(b)",
        children: [plain("the "), { type: "emphasis", children: [plain("page")] }],
      },
    ],
  },
  {
    source: "see https://example.org/x?y=1. Then",
    nodes: [
      plain("see "),
      { type: "link", url: "https://example.org/x?y=1", children: [plain("https://example.org/x?y=1")] },
      plain(". Then"),
    ],
  },
  { source: "[x](javascript:alert(1))", nodes: [plain("[x](javascript:alert(1))")] },
  {
    source: "![x](https://example.org/track.png)",
    nodes: [{ type: "link", url: "https://example.org/track.png", children: [plain("x")] }],
  },
  { source: "<img src=x onerror=alert(1)>", nodes: [plain("<img src=x onerror=alert(1)>")] },
])("marks of $source", ({ source, nodes }) => {
  expect(parseInline(source)).toEqual(nodes);
});

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>1</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "//example.org",
  "https:example.org",
  "https://exa\u202Emple.org",
  "blob:https://example.org/x",
  'https://example.org/"onclick=x',
])("EX-01: %j is no address to follow", (url) => {
  expect(isSafeUrl(url)).toBe(false);
});

test("EX-02: every word of a text is in its blocks", () => {
  const piece = fc.constantFrom(
    ...[
      "# ",
      "- ",
      "1. ",
      "> ",
      "```",
      "|",
      "---",
      "**",
      "*",
      "_",
      "`",
      "[",
      "](",
      ")",
      "~~",
      "\n",
      "\n\n",
      "  ",
      "<b>",
      "\\",
    ],
  );
  const word = fc.stringMatching(/^[a-z]{2,6}$/);
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, word), { maxLength: 40 }), (parts) => {
      const source = parts.join(" ");
      const shown = textOf(parseBlocks(source));
      for (const wanted of parts.filter((part) => /^[a-z]{2,6}$/.test(part))) expect(shown).toContain(wanted);
    }),
    { numRuns: 500 },
  );
});

function textOf(blocks: readonly Block[]): string {
  return blocks
    .map((block): string => {
      if (block.type === "quote") return textOf(block.blocks);
      if (block.type === "list") return block.items.map(textOf).join("\n");
      if (block.type === "table") return block.rows.flat().map(inlineText).join("\n");
      if (block.type === "rule") return "";
      return block.type === "code" ? `${block.language} ${block.text}` : inlineText(block.text);
    })
    .join("\n");
}

function inlineText(source: string): string {
  const collect = (nodes: readonly Inline[]): string =>
    nodes
      .map((node) => {
        if ("text" in node) return node.text;
        return `${collect(node.children)}${node.type === "link" ? ` ${node.url}` : ""}`;
      })
      .join("");
  return collect(parseInline(source));
}

test("PF-06: the time grows with the length of a text, not with its square", () => {
  const pieces = [
    "*a ",
    "**",
    "[",
    "[a](",
    "`",
    "` `` ",
    "_a_b",
    "> ",
    "- ",
    "| - ",
    "<",
    "~~a ",
    "https://a ",
    "\\",
    "# ",
    "![[",
  ];
  const slow: string[] = [];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const startMs = performance.now();
    for (const block of parseBlocks(text)) if (block.type === "paragraph") parseInline(block.text);
    // A quadratic parser takes minutes for these; the bound is far above what a busy machine needs.
    if (performance.now() - startMs > 20_000) slow.push(piece);
  }
  expect(slow).toEqual([]);
}, 300_000);
