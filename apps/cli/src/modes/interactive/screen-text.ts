import { stripVTControlCharacters } from "node:util";
import { inertText } from "../../render/terminal-text.ts";
import { evenEmoji } from "./even-emoji.ts";

/** Characters that reorder what follows, so that a command reads as another one (Unicode TR 36, 2014). */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Half a character at the end of what has streamed so far. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

const TAB = "   ";

const COMMAND = "\u001b]";
const COMMAND_ENDS = ["\u0007", "\u001b\\", "\u009c"] as const;
/** Titles and links are shorter; what is longer is text behind a stray beginning, and is shown while it comes. */
const MAX_COMMAND = 1000;

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
  /** Since the last blank or line feed over which nothing that `screenText` changes may reach. */
  #word = "";

  /** Adds what comes next; returns what is certain now, to follow what was certain before. */
  add(text: string): string {
    const end = afterBlank(text);
    if (end === 0) {
      this.#word += text;
      return "";
    }
    const words = this.#word + text.slice(0, end);
    const open = openCommand(words);
    const certain = open === undefined ? words.length : afterBlank(words.slice(0, open));
    this.#word = words.slice(certain) + text.slice(end);
    return screenText(words.slice(0, certain));
  }

  /** What follows the certain text for now. */
  get rest(): string {
    return screenText(this.#word);
  }
}

/** Behind the last blank or line feed; 0 where there is none. */
function afterBlank(text: string): number {
  return Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1;
}

/** Where a command to the operating system (OSC) begins that has not come to its end; its text may hold blanks. */
function openCommand(text: string): number | undefined {
  const over = Math.max(...COMMAND_ENDS.map((end) => text.lastIndexOf(end)));
  const begin = text.indexOf(COMMAND, over + 1);
  return begin === -1 || text.length - begin > MAX_COMMAND ? undefined : begin;
}

/** The lines of untrusted text, without blank ones at both ends. */
export function screenLines(text: string): readonly string[] {
  const trimmed = screenText(text).replace(/^(?:[^\S\n]*\n)+|\s+$/g, "");
  return trimmed === "" ? [] : trimmed.split("\n");
}
