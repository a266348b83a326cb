import { stripVTControlCharacters } from "node:util";
import { inertText } from "../../render/terminal-text.ts";
import { evenEmoji } from "./even-emoji.ts";

/** Characters that reorder what follows, so that a command reads as another one (Unicode TR 36, 2014). */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Half a character at the end of what has streamed so far. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

const TAB = "   ";

/**
 * Untrusted text as the screen may show it: as `editableText` says, with emoji in a form that is as wide on every
 * terminal (faults B199, B200, B248).
 *
 * Give it the whole text, or the pieces of a stream to `GrowingScreenText`: a sequence that is split between two deltas
 * must be seen whole.
 */
export function screenText(text: string): string {
  return evenEmoji(editableText(text));
}

/**
 * Untrusted text as the editor may hold it: escape sequences and reordering are removed, other controls become visible
 * pictures, tabs become blanks. Line feeds stay, and every character that may be sent.
 */
export function editableText(text: string): string {
  const whole = text.replace(HALF_CHARACTER, "");
  // Characters of a removed sequence can close around another one; what is left of it is shown, not obeyed.
  const plain = stripVTControlCharacters(whole).replace(BIDI_CONTROLS, "");
  return inertText(plain).replace(/\t/g, TAB);
}

/** Text that grows, as `screenText` makes it of the whole, at the cost of what is new (fault kind UI-17). */
export class GrowingScreenText {
  /** Since the last blank or line feed: nothing that `screenText` changes reaches over these. */
  #word = "";

  /** Adds what comes next; returns what is certain now, to follow what was certain before. */
  add(text: string): string {
    const end = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1;
    if (end === 0) {
      this.#word += text;
      return "";
    }
    const certain = screenText(this.#word + text.slice(0, end));
    this.#word = text.slice(end);
    return certain;
  }

  /** What follows the certain text for now. */
  get rest(): string {
    return screenText(this.#word);
  }
}

/** The lines of untrusted text, without blank ones at both ends. */
export function screenLines(text: string): readonly string[] {
  const trimmed = screenText(text).replace(/^(?:[^\S\n]*\n)+|\s+$/g, "");
  return trimmed === "" ? [] : trimmed.split("\n");
}
