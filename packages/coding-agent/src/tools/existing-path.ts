import type { FileSystem } from "../env/environment.ts";
import { ToolError } from "./tool-error.ts";
import { resolveToolPath } from "./tool-path.ts";

/** What it takes to find a file: where to start, and a look at what is there. */
export interface PathSearch {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: {
    readonly files: Pick<FileSystem, "stat">;
    readonly homeDirectory?: string | undefined;
  };
}

/**
 * The absolute path that a model means. The literal path comes first; other spellings count only where it does not
 * exist: without a leading `@`, `~` as the home directory, and the characters that macOS puts into file names.
 *
 * When no spelling exists the answer is where a new file belongs.
 */
export async function findPath(path: string, { cwd, environment }: PathSearch): Promise<string> {
  if (path.includes("\0")) throw new ToolError("The path has a NUL character in it, which no file name can.");
  for (const spelling of pathSpellings(path, environment.homeDirectory)) {
    const absolute = resolveToolPath(spelling, cwd);
    if (await exists(absolute, environment.files)) return absolute;
  }
  return resolveToolPath(await spellingOfNew(path, { cwd, environment }), cwd);
}

/** A new file `@a.ts` is a mention of `a.ts`, but `@scope/a.ts` beside an existing folder `@scope` is literal. */
async function spellingOfNew(path: string, { cwd, environment }: PathSearch): Promise<string> {
  const expanded = expandHome(path, environment.homeDirectory);
  if (expanded !== path || !path.startsWith("@")) return expanded;
  const [first] = path.split("/", 1);
  const isInFolder =
    path.includes("/") && (await exists(resolveToolPath(first ?? path, cwd), environment.files));
  return isInFolder ? path : path.slice(1);
}

/** Every spelling that `findPath` considers, in its order. */
export function pathSpellings(path: string, homeDirectory: string | undefined): readonly string[] {
  const plain = [path, path.startsWith("@") ? path.slice(1) : path].map((spelling) =>
    expandHome(spelling, homeDirectory),
  );
  return [...new Set([path, ...plain, ...plain.flatMap(macSpellings)])];
}

/** Screenshots have a narrow no-break space before AM and PM, names may hold U+2019, and HFS+ stored NFD. */
function macSpellings(path: string): readonly string[] {
  const spaces = path.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ");
  const narrow = spaces.replace(/ (?=[ap]\.?m\b)/gi, "\u202f");
  const bases = [spaces, narrow, path.replaceAll("'", "\u2019"), narrow.replaceAll("'", "\u2019")];
  return bases.flatMap((base) => [base, base.normalize("NFC"), base.normalize("NFD")]);
}

function expandHome(path: string, homeDirectory: string | undefined): string {
  if (homeDirectory === undefined || !(path === "~" || path.startsWith("~/"))) return path;
  return homeDirectory + path.slice(1);
}

async function exists(path: string, files: Pick<FileSystem, "stat">): Promise<boolean> {
  return files.stat(path).then(
    () => true,
    () => false,
  );
}
