import { styleText } from "node:util";
import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";

type Format = Parameters<typeof styleText>[0];

/** What a piece of the screen means; the theme decides how that looks. Only the terminal's own 16 colours are used. */
const TONES = {
  accent: "cyan",
  strong: "bold",
  dim: "dim",
  success: "green",
  warning: "yellow",
  error: "red",
  added: "green",
  removed: "red",
  user: ["bold", "cyan"],
  code: "yellow",
  quote: ["italic", "dim"],
  link: ["underline", "blue"],
  italic: "italic",
  strikethrough: "strikethrough",
  underline: "underline",
  meterPrompt: "magenta",
  meterFiles: "blue",
  meterSummary: "yellow",
  meterMessages: "cyan",
} as const satisfies Readonly<Record<string, Format>>;

export type Tone = keyof typeof TONES;

/** Colours a text by its meaning, or leaves it alone where colours are off. */
export type Paint = (tone: Tone, text: string) => string;

export function createPaint(hasColors: boolean): Paint {
  if (!hasColors) return (_, text) => text;
  return (tone, text) => styleText(TONES[tone] as Format, text, { validateStream: false });
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

export function markdownTheme(paint: Paint): MarkdownTheme {
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
  };
}
