import type { Paint } from "../theme.ts";
import { htmlLines } from "./html-lines.ts";

/** Longer code is coloured up to here: 75 ms for 100 kB would be felt while typing. */
export const MAX_COLOURED_CHARACTERS = 16_000;

/** Code that grows is read anew each time it has grown by this share; up to then the new lines stay plain. */
const GROWTH = 1.25;

/** Shorter code is read anew at every frame: it costs less than drawing it. */
const SMALL_CHARACTERS = 2_000;

/** Turns code into the HTML of highlight.js; undefined for a language it does not know. */
type HighlightHtml = (code: string, language: string) => string | undefined;

export interface HighlighterOptions {
  readonly paint: Paint;
  /** Loads the languages; asked once, when there is code to colour or may be soon. */
  readonly load: () => Promise<{ readonly highlightHtml: HighlightHtml }>;
  /** Hears that what was plain could be coloured now. */
  readonly onLoad: () => void;
}

/** Colours code. Until the languages are loaded, and for those that are not known, it stays plain. */
export class Highlighter {
  readonly #options: HighlighterOptions;
  #html: HighlightHtml | undefined;
  #isAsked = false;
  /** Some code was asked for too early. */
  #hasPlain = false;

  constructor(options: HighlighterOptions) {
    this.#options = options;
  }

  /** Lines of whole code. */
  lines(code: string, language: string | undefined): string[] {
    if (language === undefined || language === "") return code.split("\n");
    if (this.#html === undefined) {
      this.#hasPlain = true;
      this.#load();
      return code.split("\n");
    }
    const end =
      code.length <= MAX_COLOURED_CHARACTERS ? code.length : code.lastIndexOf("\n", MAX_COLOURED_CHARACTERS);
    if (end <= 0) return code.split("\n");
    const html = safely(this.#html, code.slice(0, end), language);
    if (html === undefined) return code.split("\n");
    const rest = end === code.length ? [] : code.slice(end + 1).split("\n");
    return [...htmlLines(html, this.#options.paint), ...rest];
  }

  /** There may be code soon: what takes a while is done now, while nobody waits for a frame. */
  prepare(): void {
    this.#load();
  }

  /** Colours for one block that grows. */
  growing(): GrowingCode {
    return new GrowingCode(this);
  }

  get isLoaded(): boolean {
    return this.#html !== undefined;
  }

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    const { load, onLoad } = this.#options;
    load().then(
      ({ highlightHtml }) => {
        this.#html = highlightHtml;
        if (this.#hasPlain) onLoad();
      },
      // Colours are no reason to disturb anybody.
      () => {},
    );
  }
}

/** Code that grows from call to call, coloured at a cost in proportion to its growth (fault kind UI-17). */
export class GrowingCode {
  readonly #highlighter: Highlighter;
  #last: { readonly code: string; readonly lines: readonly string[] } | undefined;
  #isPartial = false;

  constructor(highlighter: Highlighter) {
    this.#highlighter = highlighter;
  }

  /** Whether the end of the code is plain for now; `reset` and another call colour it. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  reset(): void {
    this.#last = undefined;
    this.#isPartial = false;
  }

  lines(code: string, language: string | undefined): string[] {
    const before = this.#last;
    if (before !== undefined && isLittleMore(before.code, code)) {
      this.#isPartial = true;
      // The last line of what was read may have been cut in the middle of a word.
      const rest = code.slice(before.code.lastIndexOf("\n") + 1).split("\n");
      return [...before.lines.slice(0, -1), ...rest];
    }
    const lines = this.#highlighter.lines(code, language);
    this.#isPartial = false;
    if (this.#highlighter.isLoaded) this.#last = { code, lines };
    return lines;
  }
}

function isLittleMore(before: string, code: string): boolean {
  return (
    before.length >= SMALL_CHARACTERS &&
    code.length > before.length &&
    code.length < before.length * GROWTH &&
    code.startsWith(before)
  );
}

/** A grammar that fails on some code leaves it plain. */
function safely(html: HighlightHtml, code: string, language: string): string | undefined {
  try {
    return html(code, language);
  } catch {
    return undefined;
  }
}
