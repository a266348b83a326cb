import { stripVTControlCharacters } from "node:util";

/** C0 controls but tab and line feed, DEL, and C1: what can drive a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Characters that reorder what follows, so that a command reads as another one (Unicode TR 36, 2014). */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = "\u2421";

/**
 * Text that cannot drive a terminal: controls become visible pictures, carriage returns vanish (fault B248).
 *
 * Works character by character, so that pieces of a stream may be treated one by one.
 */
export function inertText(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    if (character === "\r") return "";
    if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
    return code === 0x7f ? DELETE_PICTURE : "\ufffd";
  });
}

/** Untrusted text as one inert line of at most `maxColumns`: escape sequences and reordering removed, blanks joined. */
export function inertLine(text: string, maxColumns: number): string {
  const plain = stripVTControlCharacters(text).replace(BIDI_CONTROLS, "").replace(/\s+/g, " ").trim();
  return clip(inertText(plain), maxColumns);
}

function clip(text: string, maxColumns: number): string {
  const characters = [...text];
  return characters.length <= maxColumns
    ? text
    : `${characters.slice(0, Math.max(0, maxColumns - 1)).join("")}…`;
}
