/**
 * Whether a word that a shell expands (globs, braces, variables) could become a path. Both are absolute, or names.
 *
 * Wider than a shell: whatever braces and variables stand for may be anything.
 */
export function couldBecome(word: string, path: string): boolean {
  const names = path.split("/");
  // A glob meets a name that begins with a dot only where it is written.
  const hidden = names.at(-1)?.startsWith(".") === true && !/^[.$[{]/.test(word.split("/").at(-1) ?? "");
  return !hidden && new RegExp(`^${expressionOf(word)}$`, "is").test(path);
}

function expressionOf(word: string): string {
  return word.replaceAll(/\$(?:\w+|\(\))?|\{[^}]*\}?|\[[^\]]*\]?|[*?]|[.+^()|\\\]}]/g, (part) => {
    if (part.startsWith("$") || part.startsWith("{")) return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?" || part.startsWith("[")) return "[^/]";
    return `\\${part}`;
  });
}
