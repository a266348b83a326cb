/** The row of nothing: the parent of roots, the end of a list. */
export const NO_ROW = -1;

/** Children by the row of their parent, in the order of adding: twelve bytes an entry. */
export class ChildLists {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;

  constructor(rows: number) {
    this.#first = new Int32Array(rows + 1).fill(NO_ROW);
    this.#last = new Int32Array(rows + 1).fill(NO_ROW);
    this.#next = new Int32Array(rows).fill(NO_ROW);
  }

  add(parent: number, child: number): void {
    const last = this.#last[parent + 1] ?? NO_ROW;
    if (last === NO_ROW) this.#first[parent + 1] = child;
    else this.#next[last] = child;
    this.#last[parent + 1] = child;
  }

  /** Rows of the children of a row; `NO_ROW` has the roots. */
  of(parent: number): number[] {
    const rows: number[] = [];
    for (let row = this.#first[parent + 1] ?? NO_ROW; row !== NO_ROW; row = this.#next[row] ?? NO_ROW) {
      rows.push(row);
    }
    return rows;
  }
}
