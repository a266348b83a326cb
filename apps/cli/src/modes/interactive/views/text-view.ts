import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { screenText } from "../screen-text.ts";
import type { Paint, Tone } from "../theme.ts";
import { View } from "./view.ts";

export interface TextViewOptions {
  readonly text: string;
  readonly tone: Tone;
  /** Stands before the first line; the others are indented by its width. */
  readonly mark?: string;
  readonly paint: Paint;
}

/** Text of a person or the program: a prompt, a notice, a summary. Whatever it holds, it is shown inert. */
export class TextView extends View {
  readonly #options: TextViewOptions;

  constructor(options: TextViewOptions) {
    super();
    this.#options = options;
  }

  protected override draw(width: number): readonly string[] {
    return textLines(this.#options, width);
  }
}

/** The lines of a text under a mark, with a blank line above. */
function textLines({ text, tone, mark = "", paint }: TextViewOptions, width: number): string[] {
  const indent = " ".repeat(mark.length);
  const lines = screenText(text)
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - mark.length)));
  return ["", ...lines.map((line, index) => paint(tone, `${index === 0 ? mark : indent}${line}`))];
}
