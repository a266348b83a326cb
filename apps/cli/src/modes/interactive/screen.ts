import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { Pieces } from "./pieces.ts";
import { SafeContainer } from "./safe-container.ts";

/**
 * The root of everything on the screen. A line wider than the terminal is clipped here: the renderer below would end
 * the process (faults B196, B199).
 */
export class Screen extends SafeContainer {
  #width = 0;
  #clipped = new WeakMap<readonly string[], readonly string[]>();

  override pieces(width: number): Pieces {
    if (width !== this.#width) this.#clipped = new WeakMap();
    this.#width = width;
    return super.pieces(width).map((piece) => {
      const known = this.#clipped.get(piece);
      if (known !== undefined) return known;
      const clipped = piece.map((line) => (isImage(line) ? line : clipLine(withoutPadding(line), width)));
      this.#clipped.set(piece, clipped);
      return clipped;
    });
  }
}

/** The commands that draw an image, of kitty's protocol and of iTerm2's; text is inert and never holds them. */
export function isImage(line: string): boolean {
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
