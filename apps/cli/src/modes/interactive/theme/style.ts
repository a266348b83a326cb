/** How many colours the terminal can show. */
export type ColorDepth = "truecolor" | "256color";

/** The two ends of a coloured text. */
export interface Sgr {
  readonly open: string;
  readonly close: string;
}

/** Select Graphic Rendition: what turns an attribute on, and what turns it off (ECMA-48, 5th edition, 8.3.117). */
const ATTRIBUTES: Readonly<Record<string, readonly [on: string, off: string]>> = {
  bold: ["1", "22"],
  dim: ["2", "22"],
  italic: ["3", "23"],
  underline: ["4", "24"],
  strikethrough: ["9", "29"],
};

/** The terminal's own colours; people choose them, so they fit its background. */
const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const NORMAL_BASE = 30;
const BRIGHT_BASE = 90;

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/;

/**
 * A style as a theme writes it: words such as `bold`, `cyan`, `bright-red`, `#ffaf00`; empty = plain text.
 *
 * Undefined for a text that is no style.
 */
export function parseStyle(text: string, depth: ColorDepth): Sgr | undefined {
  const on: string[] = [];
  const off: string[] = [];
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
    const codes = attributeCodes(word) ?? colorCodes(word, depth);
    if (codes === undefined) return undefined;
    on.push(codes[0]);
    if (!off.includes(codes[1])) off.unshift(codes[1]);
  }
  return { open: sequence(on), close: sequence(off) };
}

/** Paints a text; what is painted inside of it ends in the outer style again. */
export function applyStyle({ open, close }: Sgr, text: string): string {
  if (open === "" || text === "") return text;
  const inner = text.includes(close) ? text.replaceAll(close, close + open) : text;
  return open + inner + close;
}

function attributeCodes(word: string): readonly [string, string] | undefined {
  return Object.hasOwn(ATTRIBUTES, word) ? ATTRIBUTES[word] : undefined;
}

function colorCodes(word: string, depth: ColorDepth): readonly [string, string] | undefined {
  const isBright = word.startsWith("bright-");
  const index = NAMES.indexOf(isBright ? word.slice("bright-".length) : word);
  if (index >= 0) return [String((isBright ? BRIGHT_BASE : NORMAL_BASE) + index), "39"];
  const hex = HEX.exec(word);
  if (hex === null) return undefined;
  const [red = 0, green = 0, blue = 0] = hex.slice(1).map((part) => Number.parseInt(part, 16));
  if (depth === "truecolor") return [`38;2;${red};${green};${blue}`, "39"];
  return [`38;5;${nearestIndex(red, green, blue)}`, "39"];
}

const CUBE_BASE = 16;
const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

/** The nearest colour of the 6×6×6 cube that terminals with 256 colours share. */
function nearestIndex(red: number, green: number, blue: number): number {
  const step = (value: number) => {
    const distances = CUBE_STEPS.map((level) => Math.abs(level - value));
    return distances.indexOf(Math.min(...distances));
  };
  return CUBE_BASE + 36 * step(red) + 6 * step(green) + step(blue);
}

function sequence(codes: readonly string[]): string {
  return codes.length === 0 ? "" : `\u001b[${codes.join(";")}m`;
}
