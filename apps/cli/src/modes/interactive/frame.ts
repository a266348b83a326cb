import type { Pieces } from "./pieces.ts";

/** The lines of one drawing of the screen, in pieces. */
export class Frame {
  readonly #pieces: Pieces;
  /** Number of lines. */
  readonly length: number;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** The lines from the one of that index up to before the other. */
  lines(from: number, to = this.length): string[] {
    const lines: string[] = [];
    let at = this.length;
    let index = this.#pieces.length;
    // Mostly the last ones are asked for.
    while (at > from && index > 0) at -= this.#pieces[--index]?.length ?? 0;
    for (; at < to && index < this.#pieces.length; index++) {
      const piece = this.#pieces[index] ?? [];
      for (const line of piece.slice(Math.max(0, from - at), to - at)) lines.push(line);
      at += piece.length;
    }
    return lines;
  }

  /** Whether the first `count` lines are those of another frame; pieces that both have in the same place are not read. */
  beginsLike(other: Frame, count: number): boolean {
    if (count > this.length || count > other.length) return false;
    const [ours, theirs] = [new LineCursor(this.#pieces), new LineCursor(other.#pieces)];
    for (let at = 0; at < count; ) {
      if (ours.isAtStart && theirs.isAtStart && ours.piece === theirs.piece) {
        at += ours.piece?.length ?? 0;
        ours.nextPiece();
        theirs.nextPiece();
      } else {
        if (ours.nextLine() !== theirs.nextLine()) return false;
        at += 1;
      }
    }
    return true;
  }
}

class LineCursor {
  readonly #pieces: Pieces;
  #index = 0;
  #offset = 0;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  get piece(): readonly string[] | undefined {
    return this.#pieces[this.#index];
  }

  get isAtStart(): boolean {
    return this.#offset === 0;
  }

  nextPiece(): void {
    this.#index += 1;
    this.#offset = 0;
  }

  nextLine(): string | undefined {
    while (this.piece?.length === 0) this.nextPiece();
    const line = this.piece?.[this.#offset++];
    if (this.piece?.length === this.#offset) this.nextPiece();
    return line;
  }
}
