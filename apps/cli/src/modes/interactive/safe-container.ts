import { type Component, Container } from "@earendil-works/pi-tui";
import { inertLine } from "../../render/terminal-text.ts";
import { JoinedPieces, type Pieced, type Pieces, piecesOf } from "./pieces.ts";

const MAX_CHARACTERS = 200;

/** Components one below the other; one that throws is replaced by a line that says so (fault kind UI-03). */
export class SafeContainer extends Container implements Pieced {
  readonly #joined = new JoinedPieces();

  pieces(width: number): Pieces {
    const pieces: (readonly string[])[] = [];
    for (const child of this.children) {
      for (const piece of piecesOrError(child, width)) if (piece.length > 0) pieces.push(piece);
    }
    return pieces;
  }

  override render(width: number): readonly string[] {
    return this.#joined.lines(this.pieces(width));
  }
}

function piecesOrError(component: Component, width: number): Pieces {
  try {
    return piecesOf(component, width);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [["", `✗ This part cannot be shown: ${inertLine(reason, MAX_CHARACTERS)}`]];
  }
}
