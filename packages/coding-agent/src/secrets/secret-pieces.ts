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
  /** Several secrets may begin alike: tokens that are signed the same way have the same header. */
  readonly #byStart = new Map<string, Piece[]>();
  readonly #byEnd = new Map<string, Piece[]>();
  #count = 0;

  add(kind: string, secret: string): void {
    for (const { text } of piecesOf(secret)) {
      if (this.#count >= MOST_PIECES) return;
      if (this.#pieceOf(text) !== undefined) continue;
      const piece = { kind, text };
      listAt(this.#byStart, startOf(text)).push(piece);
      listAt(this.#byEnd, endOf(text)).push(piece);
      this.#count++;
    }
  }

  /** Beginnings and ends of the secrets in a text, in order. */
  find(text: string): readonly FoundSecret[] {
    if (this.#count === 0) return [];
    return piecesOf(text).flatMap(({ text: piece, start }): FoundSecret[] => {
      const known = this.#pieceOf(piece);
      return known === undefined ? [] : [{ kind: known.kind, start, end: start + piece.length }];
    });
  }

  /** The piece that a text is the beginning or the end of. */
  #pieceOf(text: string): Piece | undefined {
    return (
      this.#byStart.get(startOf(text))?.find((piece) => piece.text.startsWith(text)) ??
      this.#byEnd.get(endOf(text))?.find((piece) => piece.text.endsWith(text))
    );
  }
}

function startOf(text: string): string {
  return text.slice(0, LEAST_CHARS);
}

function endOf(text: string): string {
  return text.slice(-LEAST_CHARS);
}

function listAt(map: Map<string, Piece[]>, key: string): Piece[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

/** In order; the letter of an escaped line end belongs to none. */
function piecesOf(text: string): readonly { readonly text: string; readonly start: number }[] {
  return [...text.matchAll(PIECE)].flatMap(({ 0: run, index }) => {
    const isEscape = text[index - 1] === "\\" && /^[nrt]/.test(run);
    const piece = isEscape ? run.slice(1) : run;
    return piece.length < LEAST_CHARS ? [] : [{ text: piece, start: index + run.length - piece.length }];
  });
}
