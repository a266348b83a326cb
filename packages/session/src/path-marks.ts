import { NO_ROW } from "./child-lists.ts";

/** Which rows lie on the way from a position to its root, one byte each. */
export class PathMarks {
  #marks = new Uint8Array(0);
  #position = NO_ROW;

  has(row: number): boolean {
    return this.#marks[row] === 1;
  }

  /** Marks the way from `position`. Costs what was added to it; all of it when the position went elsewhere. */
  moveTo(position: number, rows: number, parentOf: (row: number) => number): void {
    this.#grow(rows);
    if (position === this.#position) return;
    const added = this.#unmarkedFrom(position, parentOf);
    if (added.joins !== this.#position) {
      this.#marks.fill(0);
      for (let row = position; row !== NO_ROW && !this.has(row); row = parentOf(row)) this.#marks[row] = 1;
    } else for (const row of added.rows) this.#marks[row] = 1;
    this.#position = position;
  }

  #unmarkedFrom(
    position: number,
    parentOf: (row: number) => number,
  ): { readonly rows: readonly number[]; readonly joins: number } {
    const rows: number[] = [];
    let row = position;
    for (; row !== NO_ROW && !this.has(row); row = parentOf(row)) rows.push(row);
    return { rows, joins: row };
  }

  #grow(rows: number): void {
    if (rows <= this.#marks.length) return;
    const grown = new Uint8Array(Math.max(rows, this.#marks.length * 2));
    grown.set(this.#marks);
    this.#marks = grown;
  }
}
