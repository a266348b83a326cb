import { type Component, getKeybindings } from "@earendil-works/pi-tui";
import { inertLine } from "../../../render/terminal-text.ts";
import { actionOf, keyText } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import { typedText } from "../typed-text.ts";

/** Whoever types is still typing for this long after something else has taken the keys, and after every letter. */
const STILL_TYPING_MS = 400;

/** Nobody answers a question sooner after it is on the screen: keys that come then were meant for what was there before. */
const UNREAD_MS = 300;

const PASTE = "\u001b[200~";
const MAX_DRAFT = 40;

/** Where a person writes. */
export interface WritingPlace extends Component {
  getText(): string;
}

/** Time as a dialog needs it. */
export interface DialogClock {
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back once, later. */
  readonly after: (ms: number, callback: () => void) => void;
}

export interface SuddenDialogOptions {
  /** Makes what asks; it shows the hint, which says whether keys count already. */
  readonly dialog: (hint: (keys: string) => string) => Component;
  /** What had the keys before. */
  readonly editor: WritingPlace;
  /** Whether letters mean something to what asks; they do after a pause, those of a sentence never. */
  readonly takesText: boolean;
  readonly paint: Paint;
  readonly clock: DialogClock;
  readonly requestRender: () => void;
}

/**
 * A question that comes while somebody writes: what they type goes on into their text, however long their sentence is,
 * and the Enter that ends it answers nothing, nor does one that was pressed before the question could be read (fault kind
 * UI-13).
 */
export class SuddenDialog implements Component {
  readonly #options: SuddenDialogOptions;
  readonly #dialog: Component;
  /** Where it is on the way to be read. */
  #phase: "unseen" | "unread" | "open" = "unseen";
  #lastTypedMs = Number.NEGATIVE_INFINITY;
  #hasTyped = false;
  /** An Enter belongs to the sentence before it. */
  #isInSentence = false;
  #hasDropped = false;

  constructor(options: SuddenDialogOptions) {
    this.#options = options;
    this.#dialog = options.dialog((keys) => (this.#phase === "open" ? keys : "…"));
    if (options.editor.getText() !== "") this.#lastTypedMs = options.clock.now();
  }

  get focused(): boolean {
    return (this.#dialog as { readonly focused?: boolean }).focused ?? false;
  }

  set focused(value: boolean) {
    if ("focused" in this.#dialog) this.#dialog.focused = value;
  }

  invalidate(): void {
    this.#dialog.invalidate();
  }

  render(width: number): readonly string[] {
    if (this.#phase === "unseen") this.#begin();
    const { editor, paint } = this.#options;
    const notes: string[] = [];
    if (this.#hasDropped)
      notes.push(`${keyText("tui.input.submit") || "A key"} came too early and was not taken.`);
    if (this.#hasTyped) {
      const draft = [...editor.getText()].slice(-MAX_DRAFT).join("");
      notes.push(`What you type goes into your draft: ${inertLine(draft, MAX_DRAFT)}`);
    }
    return [...this.#dialog.render(width), ...notes.map((note) => clipLine(paint("dim", note), width))];
  }

  handleInput(data: string): void {
    const { editor, clock } = this.#options;
    const isStillTyping = clock.now() - this.#lastTypedMs < STILL_TYPING_MS;
    if (isText(data) && this.#isForDraft(isStillTyping)) {
      this.#lastTypedMs = clock.now();
      this.#hasTyped = true;
      this.#isInSentence = true;
      editor.handleInput?.(data);
    } else if (isSending(data) && (isStillTyping || this.#isOfSentence || this.#phase !== "open")) {
      // Neither sending is meant, for it may be half a sentence, nor answering. The next Enter counts.
      if (this.#isInSentence) this.#lastTypedMs = clock.now();
      this.#isInSentence = false;
      this.#hasDropped = true;
    } else if (isStillTyping) editor.handleInput?.(data);
    // Only a refusal does no harm to whoever has not read the question.
    else if (this.#phase === "open" || getKeybindings().matches(data, "tui.select.cancel")) {
      // Whoever moves the mark has seen the question.
      this.#isInSentence = false;
      this.#hasDropped = false;
      this.#dialog.handleInput?.(data);
    }
  }

  #begin(): void {
    this.#phase = "unread";
    this.#options.clock.after(UNREAD_MS, () => {
      this.#phase = "open";
      this.#options.requestRender();
    });
  }

  #isForDraft(isStillTyping: boolean): boolean {
    return !this.#options.takesText || isStillTyping || this.#phase !== "open";
  }

  /** Where letters are an answer, a pause ends the sentence before. */
  get #isOfSentence(): boolean {
    return this.#isInSentence && !this.#options.takesText;
  }
}

function isText(data: string): boolean {
  return (
    data.startsWith(PASTE) ||
    getKeybindings().matches(data, "tui.editor.deleteCharBackward") ||
    typedText(data) !== undefined
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
