import { styleText } from "node:util";

type Format = "dim" | "red" | "green" | "yellow" | "bold";

/** Colours a text, or leaves it alone where colours are off. */
export type Style = (format: Format, text: string) => string;

/** The style of an output that shows colours, or of one that does not. */
export function createStyle(hasColors: boolean): Style {
  return hasColors ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text;
}
