import type { Component } from "@earendil-works/pi-tui";

/** Whoever types is still typing for this long after something else has taken the keys. */
const STILL_TYPING_MS = 400;

/** Where a person writes. */
export interface WritingPlace extends Component {
  getText(): string;
}

export interface SuddenDialogOptions {
  readonly dialog: Component;
  /** What had the keys before. */
  readonly editor: WritingPlace;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A question that comes while somebody writes: what they type at that moment goes on into their text (fault kind UI-13). */
export class SuddenDialog implements Component {
  readonly #options: SuddenDialogOptions;
  readonly #shownMs: number;

  constructor(options: SuddenDialogOptions) {
    this.#options = options;
    this.#shownMs = options.now();
  }

  invalidate(): void {
    this.#options.dialog.invalidate();
  }

  render(width: number): readonly string[] {
    return this.#options.dialog.render(width);
  }

  handleInput(data: string): void {
    const { dialog, editor, now } = this.#options;
    const isStillTyping = now() - this.#shownMs < STILL_TYPING_MS;
    if (!isStillTyping) dialog.handleInput?.(data);
    // Sending the text is not meant either: it may be half a sentence.
    else if (data !== "\r" && data !== "\n") editor.handleInput?.(data);
  }
}
