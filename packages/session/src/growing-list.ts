/** A list that only grows. What it hands out never changes afterwards, so that it is copied only after it grew. */
export class GrowingList<Item> {
  /** May be in the hands of others. */
  #whole: readonly Item[];
  #added: Item[] = [];

  constructor(items: readonly Item[]) {
    this.#whole = items;
  }

  get length(): number {
    return this.#whole.length + this.#added.length;
  }

  push(...items: readonly Item[]): void {
    this.#added.push(...items);
  }

  /** The first `length` items: all of them are the same array until the next `push`. */
  first(length: number): readonly Item[] {
    if (length > this.#whole.length) {
      this.#whole = this.#whole.concat(this.#added);
      this.#added = [];
    }
    return length === this.#whole.length ? this.#whole : this.#whole.slice(0, length);
  }
}
