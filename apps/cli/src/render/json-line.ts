/** What JSON leaves as it is but a terminal or a line reader may act on: DEL, C1, and the Unicode line ends. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** One record of the JSON mode: a line that ends with LF and holds no other line end (fault B209). */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}
