import { type GlobPiece, globAutomaton } from "./glob-automaton.ts";

/**
 * A glob as a test of relative paths with `/`.
 *
 * `*` and `?` stay within a segment, `**` spans segments, `[…]` and `{a,b}` as usual, `\` escapes. Leading dots are
 * ordinary characters. A pattern without `/` matches names at any depth; `./` in front counts for nothing. Throws a
 * `SyntaxError` for a set that cannot be read.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/^(?:\.\/)+/, "").replace(/^\//, "");
  return wholePathGlob(plain.includes("/") || pattern.startsWith("/") ? plain : `**/${plain}`);
}

/** The same for a glob of whole paths. */
export function wholePathGlob(glob: string): (path: string) => boolean {
  const pieces = piecesOf(glob);
  if (branchings(pieces) > MOST_BRANCHINGS) return globAutomaton(pieces);
  const expression = new RegExp(`^${pieces.map(sourceOf).join("")}$`, "su");
  return (path) => expression.test(path);
}

/**
 * Regular expressions are faster, but each further piece of unknown length multiplies their time; beyond these a hostile
 * pattern of a `.gitignore` or a model could hang the program (fault kind PF-06).
 */
const MOST_BRANCHINGS = 2;

function branchings(pieces: readonly GlobPiece[]): number {
  return pieces.reduce((count, piece) => {
    if (piece.kind === "either") return count + 1 + branchings(piece.options.flat());
    return count + (piece.kind === "star" || piece.kind === "folders" || piece.kind === "rest" ? 1 : 0);
  }, 0);
}

function piecesOf(glob: string): readonly GlobPiece[] {
  return readPieces({ glob, at: 0 }, 0);
}

interface Reader {
  readonly glob: string;
  at: number;
}

/** Pieces up to the end, or inside braces up to `,` or `}`, which are left; a brace that never ends ends here. */
function readPieces(reader: Reader, depth: number): readonly GlobPiece[] {
  const pieces: GlobPiece[] = [];
  const { glob } = reader;
  while (reader.at < glob.length) {
    const character = glob[reader.at];
    if (depth > 0 && (character === "," || character === "}")) return pieces;
    pieces.push(character === "{" ? readEither(reader, depth) : readPiece(reader));
  }
  return pieces;
}

function readEither(reader: Reader, depth: number): GlobPiece {
  const options: (readonly GlobPiece[])[] = [];
  do {
    reader.at++;
    options.push(readPieces(reader, depth + 1));
  } while (reader.glob[reader.at] === ",");
  reader.at++;
  return { kind: "either", options };
}

function readPiece(reader: Reader): GlobPiece {
  const { glob, at } = reader;
  const rest = glob.slice(at);
  const isSegmentStart = at === 0 || glob[at - 1] === "/";
  const take = (length: number, piece: GlobPiece): GlobPiece => {
    reader.at += length;
    return piece;
  };
  if (isSegmentStart && rest.startsWith("**/")) {
    return take(/^(?:\*\*\/)+/.exec(rest)?.[0].length ?? 3, { kind: "folders" });
  }
  if (isSegmentStart && rest === "**") return take(2, { kind: "rest" });
  if (rest.startsWith("*")) return take(/^\*+/.exec(rest)?.[0].length ?? 1, { kind: "star" });
  if (rest.startsWith("?")) return take(1, { kind: "any" });
  const set = /^\[(!|\^)?(\]?[^\]]+)\]/.exec(rest);
  if (set) return take(set[0].length, setPiece(set[1] !== undefined, set[2] ?? ""));
  const isEscape = rest.startsWith("\\") && rest.length > 1;
  const text = String.fromCodePoint(rest.codePointAt(isEscape ? 1 : 0) ?? 0);
  return take(text.length + (isEscape ? 1 : 0), { kind: "text", text });
}

/** Compiled at once: it throws for a range from z to a. */
function setPiece(isNegated: boolean, set: string): GlobPiece {
  const source = `(?!/)[${isNegated ? "^" : ""}${set.replace(/[\\\]^[]/g, "\\$&")}]`;
  const expression = new RegExp(`^${source}$`, "su");
  return { kind: "set", source, matches: (character) => expression.test(character) };
}

function sourceOf(piece: GlobPiece): string {
  switch (piece.kind) {
    case "text":
      return piece.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    case "any":
      return "[^/]";
    case "star":
      return "[^/]*";
    case "folders":
      return "(?:[^/]+/)*";
    case "rest":
      return ".*";
    case "set":
      return piece.source;
    case "either":
      return `(?:${piece.options.map((option) => option.map(sourceOf).join("")).join("|")})`;
  }
}
