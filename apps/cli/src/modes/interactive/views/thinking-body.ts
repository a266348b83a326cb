import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { keyText } from "../keymap.ts";
import type { Pieces } from "../pieces.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import { PiecedView } from "./pieced-view.ts";
import { View } from "./view.ts";

/** So many characters that are over are wrapped once and together. */
const MIN_CHARACTERS = 2_000;

export interface ThinkingBodyOptions {
  readonly paint: Paint;
  /** Whether the text is shown instead of a line that says there is some; asked at every frame. */
  readonly isOpen: () => boolean;
}

/** What a model thinks, as it grows: one line unless asked for; lines that are over are not made again (UI-17). */
export class ThinkingBody extends PiecedView {
  readonly #options: ThinkingBodyOptions;
  readonly #hint: Hint;
  #over: ThinkingLines[] = [];
  #open: ThinkingLines;
  #text = "";

  constructor(options: ThinkingBodyOptions) {
    super();
    this.#options = options;
    this.#hint = new Hint(options.paint);
    this.#open = new ThinkingLines(options.paint);
  }

  /** Another text. */
  setText(text: string): void {
    this.#over = [];
    this.#text = "";
    this.append(text);
  }

  /** Adds what comes next; `more` follows it until the next call. Blanks at both ends of the text are not shown. */
  append(text: string, more = ""): void {
    this.#text += text;
    if (this.#over.length === 0) this.#text = this.#text.trimStart();
    while (this.#text.length >= MIN_CHARACTERS) {
      // Blank lines at the end may be the last ones, which are not shown.
      const end = /\n(?=[^\S\n]*[^\s])/.exec(this.#text.slice(MIN_CHARACTERS - 1));
      if (end === null) break;
      const at = MIN_CHARACTERS - 1 + end.index;
      const over = new ThinkingLines(this.#options.paint);
      over.show(this.#text.slice(0, at));
      this.#over.push(over);
      this.#text = this.#text.slice(at + 1);
    }
    const shown = this.#text + more;
    this.#open.show(this.#over.length === 0 ? shown.trim() : shown.trimEnd());
  }

  invalidate(): void {
    this.#hint.invalidate();
    for (const lines of [...this.#over, this.#open]) lines.invalidate();
  }

  pieces(width: number): Pieces {
    if (!this.#options.isOpen()) return [this.#hint.render(width)];
    return [...this.#over, this.#open].map((lines) => lines.render(width));
  }
}

class ThinkingLines extends View {
  readonly #paint: Paint;
  #text = "";

  constructor(paint: Paint) {
    super();
    this.#paint = paint;
  }

  show(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    return this.#text
      .split("\n")
      .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)))
      .map((line) => this.#paint("quote", `  ${line}`));
  }
}

class Hint extends View {
  readonly #paint: Paint;

  constructor(paint: Paint) {
    super();
    this.#paint = paint;
  }

  protected override draw(width: number): readonly string[] {
    const line = `∴ thinking (${keyText("app.thinking")} shows it)`;
    return [clipLine(this.#paint("quote", line), width)];
  }
}
