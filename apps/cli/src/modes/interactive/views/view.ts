import type { Component } from "@earendil-works/pi-tui";

/** A piece of the screen that draws itself from its state; drawn again only after `changed` or at another width. */
export abstract class View implements Component {
  #lines: readonly string[] | undefined;
  #width = 0;

  render(width: number): readonly string[] {
    if (this.#lines === undefined || width !== this.#width) {
      this.#lines = this.draw(width);
      this.#width = width;
    }
    return this.#lines;
  }

  invalidate(): void {
    this.changed();
  }

  /** The state is another one: draw again at the next frame. */
  protected changed(): void {
    this.#lines = undefined;
  }

  /** The lines for a width in columns; a pure function of the state. */
  protected abstract draw(width: number): readonly string[];
}
