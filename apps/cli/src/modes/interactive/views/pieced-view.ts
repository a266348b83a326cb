import { JoinedPieces, type Pieced, type Pieces } from "../pieces.ts";

/** A view whose lines come in pieces. */
export abstract class PiecedView implements Pieced {
  readonly #joined = new JoinedPieces();

  abstract pieces(width: number): Pieces;

  abstract invalidate(): void;

  render(width: number): readonly string[] {
    return this.#joined.lines(this.pieces(width));
  }
}
