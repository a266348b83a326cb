/** Blanks and marks of quotes before what a line says. */
const PREFIX = /^[\s>]*/;

/** The marks of a list before the first line of an item. */
const ITEM = /^(?:[-*+]|\d{1,9}[.)])\s+/;

/** The line below the header; without a pipe or a colon it would underline a heading. */
const DELIMITER = /^(?=.*[|:])\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?$/;

/** What ends a table without a blank line. */
const BEGINS_BLOCK = /^(?:#{1,6}\s|[*+-]\s|1[.)]\s)/;

/** Lines that are indented as far are code, unless they stand in a list. */
const CODE_INDENT = /^(?: {4}| {0,3}\t)/;

const PIPE = "|".charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);

/**
 * Rows of tables as the parser draws them whole: it drops the cells that a row has beyond its header (fault kind UI-16).
 * They become part of the last cell, which is what most of them were meant to be: a pipe in a cell that was not escaped.
 */
export class TableRows {
  /** Of the table whose rows these are. */
  #columns: number | undefined;
  #before = "";
  #isInList = false;

  /** The next line that is no code, so that all of it is drawn. */
  show(line: string): string {
    const text = line.replace(PREFIX, "").trimEnd();
    if (ITEM.test(text)) this.#isInList = true;
    else if (/^\S/.test(line)) this.#isInList = false;
    const isCode = CODE_INDENT.test(line) && !this.#isInList;
    if (text === "" || isCode || BEGINS_BLOCK.test(text)) this.#columns = undefined;
    if (this.#columns !== undefined) return withinColumns(line, this.#columns);
    const columns = isCode || !DELIMITER.test(text) ? 0 : cellsOf(text).length;
    if (columns > 0 && cellsOf(this.#before).length === columns) this.#columns = columns;
    this.#before = text.replace(ITEM, "");
    return line;
  }

  /** Code, which ends what came before. */
  end(): void {
    this.#columns = undefined;
    this.#before = "";
  }
}

/** A row with no more cells than there are columns: pipes of the last one are escaped. */
function withinColumns(row: string, columns: number): string {
  const prefix = PREFIX.exec(row)?.[0].length ?? 0;
  const cells = cellsOf(row, prefix);
  const last = cells[columns - 1];
  const end = cells.at(-1)?.to;
  if (cells.length <= columns || last === undefined || end === undefined) return row;
  let shown = row.slice(0, last.from);
  let from = last.from;
  for (const { to } of cells.slice(columns - 1, -1)) {
    shown += `${row.slice(from, to)}\\`;
    from = to;
  }
  return shown + row.slice(from);
}

interface Cell {
  readonly from: number;
  /** Offset of the pipe behind it, or of the end of the line. */
  readonly to: number;
}

/** The cells of a row as the parser counts them: blank ones at both ends are none. */
function cellsOf(row: string, begin = 0): readonly Cell[] {
  const cells: Cell[] = [];
  let from = begin;
  let isEscaped = false;
  for (let at = begin; at <= row.length; at++) {
    const code = row.charCodeAt(at);
    if (at === row.length || (code === PIPE && !isEscaped)) {
      cells.push({ from, to: at });
      from = at + 1;
    }
    isEscaped = code === BACKSLASH && !isEscaped;
  }
  const isBlank = (cell: Cell | undefined) =>
    cell !== undefined && row.slice(cell.from, cell.to).trim() === "";
  if (isBlank(cells[0])) cells.shift();
  if (isBlank(cells.at(-1))) cells.pop();
  return cells;
}
