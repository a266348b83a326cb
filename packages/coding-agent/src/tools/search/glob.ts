/**
 * A glob as a test of relative paths with `/`.
 *
 * `*` and `?` stay within a segment, `**` spans segments, `[…]` and `{a,b}` as usual, `\` escapes. Leading dots are
 * ordinary characters. A pattern without `/` matches names at any depth; `./` in front counts for nothing.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/^(?:\.\/)+/, "").replace(/^\//, "");
  const source = plain.includes("/") || pattern.startsWith("/") ? plain : `**/${plain}`;
  const expression = new RegExp(`^${globSource(source)}$`, "su");
  return (path) => expression.test(path);
}

/** The body of a regular expression for a glob that matches whole paths. */
export function globSource(glob: string): string {
  let source = "";
  let depth = 0;
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at);
    const [text, length] = piece(rest, depth, at === 0 || glob[at - 1] === "/");
    if (text === "(?:") depth++;
    if (text === ")" && rest.startsWith("}")) depth--;
    source += text;
    at += length;
  }
  return source + ")".repeat(depth);
}

/** The next piece of a glob: its regular expression and how many characters it took. */
function piece(
  rest: string,
  depth: number,
  isSegmentStart: boolean,
): readonly [source: string, length: number] {
  if (isSegmentStart && rest.startsWith("**/")) return ["(?:[^/]+/)*", 3];
  if (isSegmentStart && rest === "**") return [".*", 2];
  if (rest.startsWith("*")) return ["[^/]*", /^\*+/.exec(rest)?.[0].length ?? 1];
  if (rest.startsWith("?")) return ["[^/]", 1];
  if (rest.startsWith("{")) return ["(?:", 1];
  if (depth > 0 && rest.startsWith("}")) return [")", 1];
  if (depth > 0 && rest.startsWith(",")) return ["|", 1];
  const set = /^\[(!|\^)?(\]?[^\]]+)\]/.exec(rest);
  if (set) return [`(?!/)[${set[1] ? "^" : ""}${escapeSet(set[2] ?? "")}]`, set[0].length];
  if (rest.startsWith("\\") && rest.length > 1)
    return [escapeText(characterAt(rest, 1)), 1 + characterAt(rest, 1).length];
  return [escapeText(characterAt(rest, 0)), characterAt(rest, 0).length];
}

function characterAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0);
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function escapeSet(set: string): string {
  return set.replace(/[\\\]^[]/g, "\\$&");
}
