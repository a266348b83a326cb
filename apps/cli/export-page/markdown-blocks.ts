/** A block of Markdown; text inside still holds its inline marks. */
export type Block =
  | { readonly type: "heading"; readonly level: number; readonly text: string }
  | { readonly type: "paragraph"; readonly text: string }
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly type: "list";
      readonly start: number | undefined;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly type: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly type: "rule" };

const MAX_DEPTH = 10;
/** A longer line is no line between the head and the body of a table. */
const MAX_TABLE_RULE = 2000;
const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}(?=\S)|\s*$)/;
const QUOTE = /^ {0,3}> ?/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Lines that are still to be read. */
interface Reader {
  readonly lines: readonly string[];
  at: number;
}

/** The blocks of a text. Whatever is no mark is a paragraph, HTML included; nothing is lost. */
export function parseBlocks(text: string): readonly Block[] {
  return blocksOf(text.replaceAll("\r\n", "\n").split("\n"), 0);
}

function blocksOf(lines: readonly string[], depth: number): readonly Block[] {
  const reader: Reader = { lines, at: 0 };
  const blocks: Block[] = [];
  while (reader.at < lines.length) {
    if ((lines[reader.at] ?? "").trim() === "") reader.at += 1;
    else blocks.push(depth < MAX_DEPTH ? nextBlock(reader, depth) : restAsParagraph(reader));
  }
  return blocks;
}

function nextBlock(reader: Reader, depth: number): Block {
  const line = reader.lines[reader.at] ?? "";
  if (FENCE.test(line)) return codeBlock(reader);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    reader.at += 1;
    return {
      type: "heading",
      level: heading[1]?.length ?? 1,
      text: (heading[2] ?? "").trimEnd().replace(/ #{1,6}$/, ""),
    };
  }
  if (RULE.test(line)) {
    reader.at += 1;
    return { type: "rule" };
  }
  if (QUOTE.test(line)) return quote(reader, depth);
  if (ITEM.test(line)) return list(reader, depth);
  if (isTable(reader)) return table(reader);
  return paragraph(reader);
}

/** A fence that is never closed holds the rest: an answer may have been cut. */
function codeBlock(reader: Reader): Block {
  const [, indent = "", fence = "", language = ""] = FENCE.exec(reader.lines[reader.at] ?? "") ?? [];
  const text: string[] = [];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at] ?? "";
    const trimmed = line.trim();
    if (trimmed.startsWith(fence) && trimmed === (fence[0] ?? "").repeat(trimmed.length)) break;
    text.push(line.startsWith(indent) ? line.slice(indent.length) : line.trimStart());
  }
  reader.at += 1;
  return { type: "code", language: language.trim(), text: text.join("\n") };
}

function quote(reader: Reader, depth: number): Block {
  const inner: string[] = [];
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at] ?? "";
    if (!QUOTE.test(line)) break;
    inner.push(line.replace(QUOTE, ""));
  }
  return { type: "quote", blocks: blocksOf(inner, depth + 1) };
}

function list(reader: Reader, depth: number): Block {
  const marker = ITEM.exec(reader.lines[reader.at] ?? "")?.[2] ?? "-";
  const isOrdered = /\d/.test(marker);
  const items: (readonly Block[])[] = [];
  while (reader.at < reader.lines.length) {
    const match = ITEM.exec(reader.lines[reader.at] ?? "");
    if (match === null || /\d/.test(match[2] ?? "") !== isOrdered || RULE.test(match.input)) break;
    items.push(blocksOf(itemLines(reader, match[0].length), depth + 1));
  }
  return { type: "list", start: isOrdered ? Number.parseInt(marker, 10) : undefined, items };
}

/** The lines of one item without its indent; a line that is indented less ends it, unless it only goes on with a word. */
function itemLines(reader: Reader, markerWidth: number): readonly string[] {
  const lines = [(reader.lines[reader.at] ?? "").slice(markerWidth)];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at] ?? "";
    const indent = line.length - line.trimStart().length;
    const isBlank = line.trim() === "";
    if (isBlank && !continuesAfterBlank(reader, markerWidth)) break;
    if (!isBlank && indent < Math.min(markerWidth, 2) && (lines.at(-1) === "" || startsBlock(line))) break;
    if (!isBlank && indent < Math.min(markerWidth, 2) && ITEM.test(line)) break;
    lines.push(line.slice(Math.min(indent, markerWidth)));
  }
  while (reader.at < reader.lines.length && (reader.lines[reader.at] ?? "").trim() === "") reader.at += 1;
  return lines;
}

function continuesAfterBlank(reader: Reader, markerWidth: number): boolean {
  const next = reader.lines.slice(reader.at + 1, reader.at + 20).find((line) => line.trim() !== "");
  return next !== undefined && next.length - next.trimStart().length >= Math.min(markerWidth, 2);
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || ITEM.test(line) || RULE.test(line);
}

function isTable({ lines, at }: Reader): boolean {
  const next = lines[at + 1] ?? "";
  return (
    (lines[at] ?? "").includes("|") &&
    next.length <= MAX_TABLE_RULE &&
    next.includes("|") &&
    TABLE_RULE.test(next)
  );
}

function table(reader: Reader): Block {
  const rows = [cells(reader.lines[reader.at] ?? "")];
  for (reader.at += 2; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at] ?? "";
    if (!line.includes("|") || line.trim() === "") break;
    rows.push(cells(line));
  }
  return { type: "table", rows };
}

function cells(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Line feeds are kept: what a model or a person wrote on lines of its own stays there. */
function paragraph(reader: Reader): Block {
  const lines: string[] = [];
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at] ?? "";
    if (line.trim() === "") break;
    if (lines.length > 0 && (startsBlock(line) || isTable(reader))) break;
    lines.push(line);
  }
  return { type: "paragraph", text: lines.join("\n") };
}

function restAsParagraph(reader: Reader): Block {
  const text = reader.lines.slice(reader.at).join("\n");
  reader.at = reader.lines.length;
  return { type: "paragraph", text };
}
