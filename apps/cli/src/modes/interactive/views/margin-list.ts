/** An item of a list at the margin. */
const ITEM = /^(?:([-*+])|(\d{1,9})([.)])) +\S/;

/** What may be an item or belong to one. */
const IN_LIST = /^(?:\s|[-*+]|\d{1,9}[.)])/;

/** Characters that draw a line across when they stand alone. */
const RULE = /^(?:[-*_][ \t]*){3,}$/;

interface Item {
  readonly marker: string;
  /** Undefined for bullets. */
  readonly number: number | undefined;
}

/**
 * A list at the margin whose items come one by one. Items of a tight list look the same in two lists as in one; with the
 * first blank line between them, all of them look otherwise.
 */
export class MarginList {
  /** How many segments were over when it began. */
  readonly firstSegment: number;
  #last: Item;
  #isCertain = true;

  private constructor(first: Item, firstSegment: number) {
    this.#last = first;
    this.firstSegment = firstSegment;
  }

  /** The list that a line begins or may begin; `above` is the line before it, empty where there is none. */
  static of(line: string, above: string, firstSegment: number): MarginList | undefined {
    const item = itemOf(line);
    if (item === undefined) return undefined;
    const isAfterBlank = above.trim() === "";
    // In the middle of a paragraph, a number at the beginning of a line is none of a list, unless it is 1.
    const canInterrupt = !IN_LIST.test(above) && (item.number ?? 1) === 1;
    const list = new MarginList(item, firstSegment);
    // Below a heading or code it may still be one.
    if (!isAfterBlank && !canInterrupt) list.loosen();
    return list;
  }

  /** Whether a list may be cut before this line, which follows another one of the list. */
  canBeCutBefore(line: string): boolean {
    const { marker, number } = this.#last;
    const item = itemOf(line);
    if (item === undefined) {
      // It may go on with the text of the item or end the list.
      if (!/^\s/.test(line)) this.#isCertain = false;
      return false;
    }
    const isNext = item.marker === marker && (number === undefined || item.number === number + 1);
    if (!isNext) this.#isCertain = false;
    this.#last = item;
    return this.#isCertain;
  }

  /** Whether a line after a blank one is no part of the list any more. */
  isLeftBy(line: string): boolean {
    return !IN_LIST.test(line);
  }

  /** There are blank lines in it: from now on it has to be drawn as a whole. */
  loosen(): void {
    this.#isCertain = false;
  }
}

function itemOf(line: string): Item | undefined {
  const [, bullet, number, delimiter] = ITEM.exec(line) ?? [];
  if (RULE.test(line)) return undefined;
  if (bullet !== undefined) return { marker: bullet, number: undefined };
  return delimiter === undefined ? undefined : { marker: delimiter, number: Number(number) };
}
