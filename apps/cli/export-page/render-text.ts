import { codeTokens } from "./code-tokens.ts";
import { appendAll, button, element } from "./dom.ts";
import { type Block, parseBlocks } from "./markdown-blocks.ts";
import { type Inline, parseInline } from "./markdown-inline.ts";
import { textRuns } from "./shown-text.ts";

/** Lines of a long text that stand there before it is unfolded. */
const FIRST_LINES = 30;
const FIRST_CHARACTERS = 6000;

/** Text as it is: colours of a terminal, marks for what cannot be seen. */
export function shownText(text: string): readonly Node[] {
  return textRuns(text).map(({ text: piece, classes, isMark }) => {
    if (isMark === true)
      return element("span", { class: "mark", title: "a character that cannot be seen" }, piece);
    if (classes.length === 0) return document.createTextNode(piece);
    return element("span", { class: classes.join(" ") }, piece);
  });
}

/** Preformatted text; a long one is cut and has a button that shows the rest. */
export function longText(text: string, language = ""): HTMLElement {
  const holder = element("pre", { class: "text", attributes: { dir: "auto" } });
  const short = shortened(text);
  appendAll(holder, coloredText(short, language));
  if (short === text) return holder;
  const lines = text.split("\n").length;
  const more = button(`Show all ${lines === 1 ? `${text.length} characters` : `${lines} lines`}`, {
    class: "more",
    onClick: () => {
      holder.textContent = "";
      appendAll(holder, coloredText(text, language));
      more.remove();
    },
  });
  return element("div", {}, holder, more);
}

function shortened(text: string): string {
  if (text.length <= FIRST_CHARACTERS * 1.5 && text.split("\n").length <= FIRST_LINES * 1.5) return text;
  return text.split("\n", FIRST_LINES).join("\n").slice(0, FIRST_CHARACTERS);
}

function coloredText(text: string, language: string): readonly Node[] {
  if (language === "") return shownText(text);
  return codeTokens(text, language).flatMap((token) =>
    token.class === ""
      ? shownText(token.text)
      : [element("span", { class: token.class }, ...shownText(token.text))],
  );
}

/** Lines of a diff, each by its first character. */
export function diffText(text: string): HTMLElement {
  const lines = text.split("\n").map((line) => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
    return element("span", { class: `diff-line ${kind}` }, ...shownText(line), "\n");
  });
  return element("pre", { class: "text diff", attributes: { dir: "auto" } }, ...lines);
}

/** Markdown as elements. Nothing in it becomes markup: elements are made here, and text goes in as text. */
export function markdown(text: string): HTMLElement {
  const holder = element("div", { class: "markdown", attributes: { dir: "auto" } });
  appendAll(holder, parseBlocks(text).map(blockElement));
  return holder;
}

function blockElement(block: Block): HTMLElement {
  switch (block.type) {
    case "heading":
      // The page has headings of its own above these.
      return element(
        block.level <= 1 ? "h3" : block.level === 2 ? "h4" : "h5",
        {},
        ...inlineNodes(block.text),
      );
    case "paragraph":
      return element("p", {}, ...inlineNodes(block.text));
    case "code":
      return element("div", { class: "code" }, longText(block.text, block.language || "text"));
    case "quote":
      return element("blockquote", {}, ...block.blocks.map(blockElement));
    case "list":
      return listElement(block);
    case "table":
      return tableElement(block.rows);
    case "rule":
      return element("hr");
  }
}

function listElement({ start, items }: Extract<Block, { readonly type: "list" }>): HTMLElement {
  const rows = items.map((blocks) => element("li", {}, ...blocks.map(blockElement)));
  if (start === undefined) return element("ul", {}, ...rows);
  return element("ol", { attributes: { start: String(start) } }, ...rows);
}

function tableElement([head = [], ...body]: readonly (readonly string[])[]): HTMLElement {
  const cells = (tag: "th" | "td", row: readonly string[]) =>
    row.map((cell) => element(tag, {}, ...inlineNodes(cell)));
  return element(
    "div",
    { class: "wide" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...cells("th", head))),
      element("tbody", {}, ...body.map((row) => element("tr", {}, ...cells("td", row)))),
    ),
  );
}

function inlineNodes(text: string): readonly Node[] {
  return parseInline(text).flatMap(inlineNode);
}

function inlineNode(node: Inline): readonly Node[] {
  switch (node.type) {
    case "text":
      return shownText(node.text);
    case "code":
      return [element("code", {}, ...shownText(node.text))];
    case "strong":
      return [element("strong", {}, ...node.children.flatMap(inlineNode))];
    case "emphasis":
      return [element("em", {}, ...node.children.flatMap(inlineNode))];
    case "deleted":
      return [element("del", {}, ...node.children.flatMap(inlineNode))];
    case "link":
      return [linkElement(node.url, node.children)];
  }
}

/** The parser lets only addresses of pages and letters through. */
function linkElement(url: string, children: readonly Inline[]): HTMLElement {
  const attributes = { href: url, rel: "noopener noreferrer nofollow", target: "_blank" };
  return element("a", { title: url, attributes }, ...children.flatMap(inlineNode));
}
