import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { type ClippedLine, findClippedLine } from "./clipped-line.ts";
import type { Pieces } from "./pieces.ts";
import { SafeContainer } from "./safe-container.ts";

/** On a narrower screen some lines are wider than they can be. */
const MIN_TOLD_COLUMNS = 40;

/**
 * The root of everything on the screen. A line wider than the terminal is clipped here: the renderer below would end
 * the process (faults B196, B199).
 */
export class Screen extends SafeContainer {
  readonly #onClipped: ((line: ClippedLine) => void) | undefined;
  #width = 0;
  #clipped = new WeakMap<readonly string[], readonly string[]>();

  /** `onClipped` hears of lines of which not all is shown, while they are drawn. */
  constructor(onClipped?: (line: ClippedLine) => void) {
    super();
    this.#onClipped = onClipped;
  }

  override pieces(width: number): Pieces {
    let isCut = false;
    if (width !== this.#width) this.#clipped = new WeakMap();
    this.#width = width;
    const pieces = super.pieces(width).map((piece) => {
      const known = this.#clipped.get(piece);
      if (known !== undefined) return known;
      const clipped = piece.map((line) => {
        if (isImage(line)) return line;
        const text = withoutPadding(line);
        const shown = clipLine(text, width);
        isCut ||= shown !== text;
        return shown;
      });
      this.#clipped.set(piece, clipped);
      return clipped;
    });
    if (isCut && width >= MIN_TOLD_COLUMNS) this.#tellOfClipped(width);
    return pieces;
  }

  #tellOfClipped(width: number): void {
    const line = this.#onClipped === undefined ? undefined : findClippedLine(this, width);
    if (line !== undefined) this.#onClipped?.(line);
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
