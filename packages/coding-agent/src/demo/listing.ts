/** A directory listing as the `ls` tool prints it: one name a line, directories with a trailing slash. */
export interface Listing {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** Names of a listing's text; notices in brackets or parentheses are not names. */
export function readListing(text: string): Listing {
  const names = text.split("\n").filter((line) => line !== "" && !/^[[(]/.test(line));
  return {
    directories: names.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1)),
    files: names.filter((name) => !name.endsWith("/")),
  };
}

/** A line of the `grep` tool's output. `line` is 1-based. */
export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The matches in a grep result; context lines and notices are left out. */
export function readMatches(text: string): readonly GrepMatch[] {
  return text.split("\n").flatMap((row) => {
    const match = /^(.+?):(\d+):\s?(.*)$/.exec(row);
    return match ? [{ path: match[1] ?? "", line: Number(match[2]), text: (match[3] ?? "").trim() }] : [];
  });
}

/** The body of a read result, without the closing notice that names the next offset. */
export function fileText(text: string): string {
  return text.replace(/\n*\[[^\]\n]*(?:offset|lines?|bytes|KB)[^\]\n]*\]\s*$/i, "");
}
