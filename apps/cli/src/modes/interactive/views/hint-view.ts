import type { Paint } from "../theme.ts";
import { TextView } from "./text-view.ts";
import { View } from "./view.ts";

/** What holds for a moment, below the conversation and above the working line. */
export class HintView extends View {
  readonly #paint: Paint;
  #text: string | undefined;

  constructor(paint: Paint) {
    super();
    this.#paint = paint;
  }

  /** Takes the place of what was shown before; undefined: nothing is. */
  show(text: string | undefined): void {
    this.#text = text;
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    if (this.#text === undefined) return [];
    return new TextView({ text: this.#text, tone: "dim", paint: this.#paint }).render(width);
  }
}
