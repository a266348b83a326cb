/** Tells whether a character (a code point, as text) goes from one state to the next. */
type Step = { readonly matches: (character: string) => boolean; readonly to: number };

interface State {
  readonly steps: Step[];
  /** States that are reached without a character. */
  readonly jumps: number[];
}

/** A pattern of paths, piece by piece. */
export type GlobPiece =
  | { readonly kind: "text"; readonly text: string }
  /** `?` */
  | { readonly kind: "any" }
  /** `*`: within a segment. */
  | { readonly kind: "star" }
  /** Whole folders, each with its `/`; none as well. */
  | { readonly kind: "folders" }
  /** Anything up to the end. */
  | { readonly kind: "rest" }
  /** `source` is the same as a regular expression. */
  | { readonly kind: "set"; readonly source: string; readonly matches: (character: string) => boolean }
  | { readonly kind: "either"; readonly options: readonly (readonly GlobPiece[])[] };

/**
 * A test of whole paths whose time grows with path and pattern and never explodes, whatever the pattern: all ways to match
 * are followed at once.
 */
export function globAutomaton(pieces: readonly GlobPiece[]): (path: string) => boolean {
  const states: State[] = [];
  const add = (): number => states.push({ steps: [], jumps: [] }) - 1;
  const end = connect(pieces, add(), { states, add });
  return (path) => {
    let current = closure(states, [0]);
    for (const character of path) {
      const next = current.flatMap((state) =>
        (states[state]?.steps ?? []).flatMap(({ matches, to }) => (matches(character) ? [to] : [])),
      );
      if (next.length === 0) return false;
      current = closure(states, next);
    }
    return current.includes(end);
  };
}

interface Builder {
  readonly states: State[];
  readonly add: () => number;
}

const inSegment = (character: string): boolean => character !== "/";

/** Lays pieces from a state on; returns the state behind them. */
function connect(pieces: readonly GlobPiece[], from: number, builder: Builder): number {
  let at = from;
  for (const piece of pieces) at = connectPiece(piece, at, builder);
  return at;
}

function connectPiece(piece: GlobPiece, from: number, builder: Builder): number {
  const { states, add } = builder;
  const step = (state: number, matches: Step["matches"], to: number) =>
    states[state]?.steps.push({ matches, to });
  const jump = (state: number, to: number) => states[state]?.jumps.push(to);
  if (piece.kind === "text") {
    let at = from;
    for (const character of piece.text) {
      const next = add();
      step(at, (other) => other === character, next);
      at = next;
    }
    return at;
  }
  const next = add();
  if (piece.kind === "any") step(from, inSegment, next);
  else if (piece.kind === "set") step(from, piece.matches, next);
  else if (piece.kind === "either") {
    for (const option of piece.options) {
      const start = add();
      jump(from, start);
      jump(connect(option, start, builder), next);
    }
  } else {
    // A state of its own, so that what stands before is not repeated with it.
    const loop = add();
    jump(from, loop);
    jump(loop, next);
    if (piece.kind === "star") step(loop, inSegment, loop);
    else if (piece.kind === "rest") step(loop, () => true, loop);
    else {
      const inside = add();
      step(loop, inSegment, inside);
      step(inside, inSegment, inside);
      step(inside, (character) => character === "/", loop);
    }
  }
  return next;
}

function closure(states: readonly State[], from: readonly number[]): readonly number[] {
  const reached = new Set(from);
  for (const state of reached) for (const next of states[state]?.jumps ?? []) reached.add(next);
  return [...reached];
}
