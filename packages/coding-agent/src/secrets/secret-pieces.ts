import type { FoundSecret } from "./find-secrets.ts";

/** Pieces of secrets without blanks, quotes and signs around them: tokens as a whole, private keys line by line. */
const PIECE = /[A-Za-z0-9+/=_.~-]{20,}/g;
/** What is left of a piece must be as long, so that nothing else looks like it. */
const LEAST_CHARS = 20;
/** Beyond these no more are remembered: files of others may hold any number of keys. */
const MOST_PIECES = 20_000;

interface Piece {
  readonly kind: string;
  readonly text: string;
}

/**
 * Secrets that were met whole, to know what a cut has left of them elsewhere: the end of a key has no form of its own.
 */
export class SecretPieces {
  readonly #byStart = new Map<string, Piece>();
  readonly #byEnd = new Map<string, Piece>();

  add(kind: string, secret: string): void {
    for (const { text } of piecesOf(secret)) {
      if (this.#byStart.size >= MOST_PIECES) return;
      this.#byStart.set(text.slice(0, LEAST_CHARS), { kind, text });
      this.#byEnd.set(text.slice(-LEAST_CHARS), { kind, text });
    }
  }

  /** Beginnings and ends of the secrets in a text, in order. */
  find(text: string): readonly FoundSecret[] {
    if (this.#byStart.size === 0) return [];
    return piecesOf(text).flatMap(({ text: piece, start }): FoundSecret[] => {
      const known = this.#byStart.get(piece.slice(0, LEAST_CHARS));
      const ending = this.#byEnd.get(piece.slice(-LEAST_CHARS));
      const end = start + piece.length;
      if (known?.text.startsWith(piece) === true) return [{ kind: known.kind, start, end }];
      if (ending?.text.endsWith(piece) === true) return [{ kind: ending.kind, start, end }];
      return [];
    });
  }
}

/** In order; the letter of an escaped line end belongs to none. */
function piecesOf(text: string): readonly { readonly text: string; readonly start: number }[] {
  return [...text.matchAll(PIECE)].flatMap(({ 0: run, index }) => {
    const isEscape = text[index - 1] === "\\" && /^[nrt]/.test(run);
    const piece = isEscape ? run.slice(1) : run;
    return piece.length < LEAST_CHARS ? [] : [{ text: piece, start: index + run.length - piece.length }];
  });
}
