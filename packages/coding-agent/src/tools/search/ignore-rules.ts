import { wholePathGlob } from "./glob.ts";

interface IgnoreRule {
  readonly matches: (path: string) => boolean;
  readonly isNegated: boolean;
  readonly isDirectoryOnly: boolean;
}

/** One `.gitignore`: its rules hold for paths relative to its folder. */
export interface IgnoreFile {
  /** Folder relative to the search root, "" for the root; ends without `/`. */
  readonly folder: string;
  /** For a folder above the search root (`folder` is ""): the root's path below it. */
  readonly rootBelow?: string;
  readonly rules: readonly IgnoreRule[];
}

/** Parses a `.gitignore` (gitignore(5)). */
export function parseIgnoreFile(text: string, folder: string): IgnoreFile {
  return { folder, rules: text.split(/\r?\n/).flatMap(parseRule) };
}

/** The last rule that matches decides; files deeper in the tree go over those above. `files` runs from root to leaf. */
export function isIgnored(path: string, isDirectory: boolean, files: readonly IgnoreFile[]): boolean {
  for (let at = files.length - 1; at >= 0; at--) {
    const { folder = "", rootBelow, rules = [] } = files[at] ?? {};
    const inside = folder === "" ? path : path.slice(folder.length + 1);
    const relative = rootBelow === undefined ? inside : `${rootBelow}/${path}`;
    const rule = rules.findLast((one) => (isDirectory || !one.isDirectoryOnly) && one.matches(relative));
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}

function parseRule(line: string): readonly IgnoreRule[] {
  const trimmed = line.replace(/(?<!\\)[ \t]+$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return [];
  const isNegated = trimmed.startsWith("!");
  const pattern = isNegated ? trimmed.slice(1) : trimmed;
  const isDirectoryOnly = pattern.endsWith("/");
  const body = isDirectoryOnly ? pattern.slice(0, -1) : pattern;
  const isAnchored = body.includes("/");
  const glob = isAnchored ? body.replace(/^\//, "") : `**/${body}`;
  try {
    return [{ matches: wholePathGlob(glob), isNegated, isDirectoryOnly }];
  } catch {
    // A pattern that cannot be read ignores nothing, as in git.
    return [];
  }
}
