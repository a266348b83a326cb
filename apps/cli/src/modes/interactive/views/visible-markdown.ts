import { TableRows } from "./table-rows.ts";

/** What markdown would not show: comments, images' addresses, definitions of links, and cells of tables. */
const MAY_BE_HIDDEN = /<!--|!\[|\]:|\|/;

/** A fence of code, however far it is indented: it may stand in a list. */
const FENCE = /^(\s*(?:>\s*)*)(`{3,}(?=[^`]*$)|~{3,})/;

/** One that is indented as far as this stands in a list, which a line further out ends. */
const LIST_INDENT_COLUMNS = 2;

/** What has to be escaped to be shown: the beginning of a comment, or of an image with an address. */
const HIDDEN = /<!--|!(?=\[[^\]]{0,1000}\]\()/g;

/** A definition of a link, in a list or a quote as well. Its bracket, escaped, would begin a formula; its colon does not. */
const DEFINITION = /^((?:\s|>|[-*+] |\d+[.)] )*\[[^\]]+\])(?=:)/;

/**
 * Markdown of which every letter is shown, also what markdown takes for no text (fault kind UI-16): an answer is read by
 * somebody who wants to know what the model wrote. Code stays as it is.
 */
export function visibleMarkdown(text: string): string {
  if (!MAY_BE_HIDDEN.test(text)) return text;
  const tableRows = new TableRows();
  let open: { readonly indent: number; readonly mark: string } | undefined;
  const lines = text.split("\n").map((line) => {
    const [, before = "", mark] = FENCE.exec(line) ?? [];
    const isLeft = line.trim() !== "" && line.search(/\S/) < Math.min(open?.indent ?? 0, LIST_INDENT_COLUMNS);
    if (open !== undefined && !isLeft) {
      if (mark?.startsWith(open.mark) && line.trim().endsWith(mark)) open = undefined;
      return line;
    }
    open = mark === undefined ? undefined : { indent: before.length, mark };
    if (open === undefined) return tableRows.show(visibleLine(line));
    tableRows.end();
    return line;
  });
  return lines.join("\n");
}

function visibleLine(line: string): string {
  let shown = "";
  let end = 0;
  for (const [from, to] of codeSpans(line)) {
    shown += line.slice(end, from).replace(HIDDEN, "\\$&") + line.slice(from, to);
    end = to;
  }
  shown += line.slice(end).replace(HIDDEN, "\\$&");
  return shown.replace(DEFINITION, "$1\\");
}

/** Where code stands in a line: from backticks to the next ones that are as many. Offsets, in order. */
function codeSpans(line: string): readonly (readonly [from: number, to: number])[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }));
  /** For each run the next one of its length. */
  const partners: (number | undefined)[] = [];
  const latest = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at--) {
    const length = runs[at]?.length ?? 0;
    partners[at] = latest.get(length);
    latest.set(length, at);
  }
  const spans: [number, number][] = [];
  for (let at = 0; at < runs.length; at++) {
    const partner = partners[at];
    const [begin, end] = [runs[at], partner === undefined ? undefined : runs[partner]];
    if (begin === undefined || partner === undefined || end === undefined) continue;
    spans.push([begin.index, end.index + end.length]);
    at = partner;
  }
  return spans;
}
