import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { SafeContainer } from "./safe-container.ts";

/**
 * The root of everything on the screen. A line wider than the terminal is clipped here: the renderer below would end
 * the process (faults B196, B199).
 */
export class Screen extends SafeContainer {
  #width = 0;
  #lines: readonly string[] = [];
  #clipped: readonly string[] = [];

  override render(width: number): readonly string[] {
    const lines = super.render(width);
    if (lines === this.#lines && width === this.#width) return this.#clipped;
    const isSameWidth = width === this.#width;
    // Most lines are those of the frame before: their width is known to fit.
    this.#clipped = lines.map((line, index) => {
      const before = isSameWidth && this.#lines[index] === line ? this.#clipped[index] : undefined;
      return before ?? (isImage(line) ? line : clipLine(withoutPadding(line), width));
    });
    this.#lines = lines;
    this.#width = width;
    return this.#clipped;
  }
}

/** The commands that draw an image, of kitty's protocol and of iTerm2's; text is inert and never holds them. */
function isImage(line: string): boolean {
  return line.includes("\u001b_G") || line.includes("\u001b]1337;File=");
}

const BLANK = 0x20;

/**
 * A line without blanks at its end. They show nothing, but a line that is padded to the last column breaks into two
 * wherever the terminal draws one of its characters wider than it was measured (fault B199).
 */
function withoutPadding(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === BLANK) end -= 1;
  return line.slice(0, end);
}

/** A line of at most `width` columns. */
export function clipLine(line: string, width: number): string {
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width, "…");
}
