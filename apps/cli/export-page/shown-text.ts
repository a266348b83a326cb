/** A piece of text with the colours that a terminal would give it; classes are names of the style sheet. */
export interface TextRun {
  readonly text: string;
  readonly classes: readonly string[];
  /** True for a mark that stands for a character which cannot be seen. */
  readonly isMark?: boolean;
}

/** CSI, OSC and the other string sequences, then two-character ones; what is no sequence stays a visible control. */
const ESCAPES = new RegExp(
  [
    String.raw`\u001b(?:\[([0-?]{0,64})[ -/]{0,8}([@-~])`,
    String.raw`[\]PX^_][^\u0007\u001b]{0,65536}(?:\u0007|\u001b\\)`,
    String.raw`[@-Z\\^_=>78])`,
  ].join("|"),
  "g",
);
/** C0 but tab and line feed, DEL, C1. */
const CONTROL = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f]`;
/** Characters that reorder what stands around them, or that nobody sees (Unicode TR 36). */
const HIDDEN = String.raw`[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]`;
const MARKED = new RegExp(`(${CONTROL}|${HIDDEN})`, "u");

const COLORS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const STYLES: Readonly<Record<number, string>> = { 1: "bold", 2: "dim", 3: "italic", 4: "underline" };

/** Text as runs: colours of a terminal become classes, other sequences vanish, what cannot be seen becomes a mark. */
export function textRuns(text: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  const clean = text.replaceAll("\r\n", "\n");
  let classes: readonly string[] = [];
  let at = 0;
  for (const match of clean.matchAll(ESCAPES)) {
    pushRuns(runs, clean.slice(at, match.index), classes);
    at = match.index + match[0].length;
    if (match[2] === "m") classes = afterCodes(classes, match[1] ?? "");
  }
  pushRuns(runs, clean.slice(at), classes);
  return runs;
}

/** One line without colours: for titles, rows of the tree, results of the search. */
export function plainLine(text: string, maxCharacters: number): string {
  const line = textRuns(text.slice(0, maxCharacters * 4))
    .map((run) => run.text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}

function pushRuns(runs: TextRun[], text: string, classes: readonly string[]): void {
  if (text === "") return;
  for (const [index, piece] of text.split(MARKED).entries()) {
    if (piece === undefined || piece === "") continue;
    if (index % 2 === 0) runs.push({ text: piece, classes });
    else runs.push({ text: markOf(piece), classes, isMark: true });
  }
}

function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** Select Graphic Rendition (ECMA-48 8.3.117), the eight colours and their bright forms. */
function afterCodes(before: readonly string[], parameters: string): readonly string[] {
  let classes = before;
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    // 38 and 48 take a colour of their own behind them: `5;n` or `2;r;g;b`.
    if (code === 38 || code === 48) index += codes[index + 1] === 5 ? 2 : 4;
    else classes = afterCode(classes, code);
  }
  return classes;
}

function afterCode(classes: readonly string[], code: number): readonly string[] {
  const without = (prefix: string) => classes.filter((name) => !name.startsWith(prefix));
  if (code === 0) return [];
  if (code === 22) return classes.filter((name) => name !== "ansi-bold" && name !== "ansi-dim");
  if (code === 39) return without("ansi-fg-");
  const style = STYLES[code];
  if (style !== undefined) return [...classes.filter((name) => name !== `ansi-${style}`), `ansi-${style}`];
  const off = STYLES[code - 20];
  if (off !== undefined) return classes.filter((name) => name !== `ansi-${off}`);
  const color = COLORS[code >= 90 ? code - 90 : code - 30];
  const isForeground = (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
  return isForeground && color !== undefined ? [...without("ansi-fg-"), `ansi-fg-${color}`] : classes;
}
