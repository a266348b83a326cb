import type { Component } from "@earendil-works/pi-tui";

/**
 * Lines from top to bottom, in pieces. A piece that is the same array as in the frame before holds the same lines, so
 * that nobody has to read what has not changed (fault kind UI-17).
 */
export type Pieces = readonly (readonly string[])[];

/** One blank line; always the same piece. */
export const BLANK: readonly string[] = [""];

/** A component whose lines come in pieces. */
export interface Pieced extends Component {
  /** For a width in columns. Neither the pieces nor the lines may be changed by who gets them. */
  pieces(width: number): Pieces;
}

/** The pieces of any component: those it has, else all its lines as one. */
export function piecesOf(component: Component, width: number): Pieces {
  return isPieced(component) ? component.pieces(width) : [component.render(width)];
}

function isPieced(component: Component): component is Pieced {
  return "pieces" in component;
}

/** Joins pieces to lines; as long as the pieces are the same, the lines are the same array. */
export class JoinedPieces {
  #pieces: Pieces = [];
  #lines: readonly string[] = [];

  lines(pieces: Pieces): readonly string[] {
    const before = this.#pieces;
    const isSame = before.length === pieces.length && pieces.every((piece, index) => piece === before[index]);
    if (!isSame) this.#lines = pieces.flat();
    this.#pieces = pieces;
    return this.#lines;
  }
}
