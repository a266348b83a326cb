import {
  type Component,
  type Focusable,
  getKeybindings,
  Input,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { keyHints, listHints } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import { editableText } from "../screen-text.ts";
import type { Paint } from "../theme.ts";

const [PASTE_BEGIN, PASTE_END] = ["\u001b[200~", "\u001b[201~"];

export interface TextPromptOptions {
  /** Lines above; already safe to show. */
  readonly title: readonly string[];
  /** What stands there at first. */
  readonly text?: string;
  /** A secret: dots stand for its characters. */
  readonly isSecret?: boolean;
  /** What its keys do, as it is to be shown at this moment; default: as it is. */
  readonly hint?: (keys: string) => string;
  readonly paint: Paint;
  /** What was written; undefined when it was left. */
  readonly onDone: (text: string | undefined) => void;
}

/** One line to write in place of the editor: Enter takes it, Esc leaves. */
export class TextPrompt implements Component, Focusable {
  readonly #options: TextPromptOptions;
  readonly #input = new Input({ prompt: "› " });

  constructor(options: TextPromptOptions) {
    this.#options = options;
    const text = editableText(options.text ?? "").replaceAll("\n", " ");
    // As a paste, so that the caret stands behind it.
    if (text !== "") this.#input.handleInput(`${PASTE_BEGIN}${text}${PASTE_END}`);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(value: boolean) {
    this.#input.focused = value;
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  render(width: number): readonly string[] {
    const { paint, title, isSecret, hint = (keys: string) => keys } = this.#options;
    const line =
      isSecret === true
        ? [clipLine(`› ${"•".repeat(this.#input.getValue().length)}`, width)]
        : this.#input.render(width);
    return [
      "",
      ...title.flatMap((text) => wrapTextWithAnsi(text, width)),
      ...line,
      clipLine(paint("dim", hint(keyHints(listHints.take("takes"), listHints.leave("leaves")))), width),
    ];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.#options.onDone(undefined);
    else if (keys.matches(data, "tui.select.confirm")) this.#options.onDone(this.#input.getValue());
    else this.#input.handleInput(data);
  }
}
