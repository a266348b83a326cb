import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import { applyStyle, type ColorDepth, parseStyle, type Sgr } from "./theme/style.ts";
import { TERMINAL_THEME, type Theme, TONES, type Tone } from "./theme/themes.ts";

export type { Tone };

/** Colours a text by its meaning, or leaves it alone where colours are off. */
export type Paint = (tone: Tone, text: string) => string;

/** The colours of the screen; another theme counts from the next drawing. */
export class Palette {
  #styles: Readonly<Record<Tone, Sgr>> | undefined;

  constructor(hasColors: boolean) {
    if (hasColors) this.use(TERMINAL_THEME, "truecolor");
  }

  get hasColors(): boolean {
    return this.#styles !== undefined;
  }

  use(theme: Theme, depth: ColorDepth): void {
    const styles = TONES.map((tone) => [tone, parseStyle(theme[tone], depth) ?? { open: "", close: "" }]);
    this.#styles = Object.fromEntries(styles) as Record<Tone, Sgr>;
  }

  readonly paint: Paint = (tone, text) =>
    this.#styles === undefined ? text : applyStyle(this.#styles[tone], text);
}

export function createPaint(hasColors: boolean): Paint {
  return new Palette(hasColors).paint;
}

export function selectListTheme(paint: Paint): SelectListTheme {
  return {
    selectedPrefix: (text) => paint("accent", text),
    selectedText: (text) => paint("accent", text),
    description: (text) => paint("dim", text),
    scrollInfo: (text) => paint("dim", text),
    noMatch: (text) => paint("dim", text),
  };
}

export function editorTheme(paint: Paint): EditorTheme {
  return { borderColor: (text) => paint("dim", text), selectList: selectListTheme(paint) };
}

/** Colours the lines of a code block. */
export type HighlightCode = (code: string, language: string | undefined) => string[];

export function markdownTheme(paint: Paint, highlightCode?: HighlightCode): MarkdownTheme {
  const as = (tone: Tone) => (text: string) => paint(tone, text);
  return {
    heading: as("user"),
    link: as("link"),
    linkUrl: as("dim"),
    code: as("code"),
    codeBlock: (text) => text,
    codeBlockBorder: as("dim"),
    quote: as("quote"),
    quoteBorder: as("dim"),
    hr: as("dim"),
    listBullet: as("accent"),
    bold: as("strong"),
    italic: as("italic"),
    strikethrough: as("strikethrough"),
    underline: as("underline"),
    ...(highlightCode === undefined ? {} : { highlightCode }),
  };
}
