import { type Component, decodeKittyPrintable, getKeybindings, matchesKey } from "@earendil-works/pi-tui";
import { inertLine } from "../../../render/terminal-text.ts";
import { actionOf } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";

/** Whoever types is still typing for this long after something else has taken the keys, and after every letter. */
const STILL_TYPING_MS = 400;

const PASTE = "\u001b[200~";
/** Typed text, as opposed to the sequences of keys. */
const TEXT = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;
const MAX_DRAFT = 40;

/** Where a person writes. */
export interface WritingPlace extends Component {
  getText(): string;
}

export interface SuddenDialogOptions {
  readonly dialog: Component;
  /** What had the keys before. */
  readonly editor: WritingPlace;
  readonly paint: Paint;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * A question that comes while somebody writes: what they type goes on into their text, however long their sentence is,
 * and the Enter that ends it answers nothing (fault kind UI-13).
 */
export class SuddenDialog implements Component {
  readonly #options: SuddenDialogOptions;
  #lastTypedMs = Number.NEGATIVE_INFINITY;
  #hasTyped = false;
  /** An Enter belongs to the sentence before it. */
  #isInSentence = false;

  constructor(options: SuddenDialogOptions) {
    this.#options = options;
    if (options.editor.getText() !== "") this.#lastTypedMs = options.now();
  }

  invalidate(): void {
    this.#options.dialog.invalidate();
  }

  render(width: number): readonly string[] {
    const { dialog, editor, paint } = this.#options;
    const lines = dialog.render(width);
    if (!this.#hasTyped) return lines;
    const draft = [...editor.getText()].slice(-MAX_DRAFT).join("");
    const note = paint("dim", `What you type goes into your draft: ${inertLine(draft, MAX_DRAFT)}`);
    return [...lines, clipLine(note, width)];
  }

  handleInput(data: string): void {
    const { dialog, editor, now } = this.#options;
    const isStillTyping = now() - this.#lastTypedMs < STILL_TYPING_MS;
    if (isText(data)) {
      this.#lastTypedMs = now();
      this.#hasTyped = true;
      this.#isInSentence = true;
      editor.handleInput?.(data);
    } else if (isSending(data) && (isStillTyping || this.#isInSentence)) {
      // Neither sending is meant, for it may be half a sentence, nor answering. The next Enter counts.
      if (this.#isInSentence) this.#lastTypedMs = now();
      this.#isInSentence = false;
    } else if (isStillTyping) editor.handleInput?.(data);
    else {
      // Whoever moves the mark has seen the question.
      this.#isInSentence = false;
      dialog.handleInput?.(data);
    }
  }
}

function isText(data: string): boolean {
  return (
    data.startsWith(PASTE) || matchesKey(data, "backspace") || TEXT.test(decodeKittyPrintable(data) ?? data)
  );
}

function isSending(data: string): boolean {
  const keys = getKeybindings();
  return (
    data === "\r" ||
    data === "\n" ||
    keys.matches(data, "tui.input.submit") ||
    keys.matches(data, "tui.select.confirm") ||
    actionOf(data) === "app.followUp"
  );
}
