import { resolve } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { findPath, pathSpellings } from "../tools/existing-path.ts";
import { displayPath } from "../tools/tool-path.ts";
import { commandPaths } from "./command-paths.ts";
import type { NamedPath } from "./file-rules.ts";
import type { PermissionQuestion } from "./permission-policy.ts";
import { splitShellLine } from "./split-shell-line.ts";

/** A look at what is there, as the tools look. */
export interface PathLook {
  /** Absolute. */
  readonly cwd: string;
  readonly homeDirectory?: string | undefined;
  readonly files: Pick<FileSystem, "realPath" | "stat">;
}

/** Tools whose `path` is a file or folder, and of them those that mean the working directory without one. */
const PATH_TOOLS = new Set(["read", "write", "edit", "grep", "find", "ls"]);
const FOLDER_TOOLS = new Set(["grep", "find", "ls"]);

/** A longer text of a foreign tool is no path. */
const MOST_PATH_CHARS = 4096;
const MOST_TEXTS = 100;

/** A tool call as the policy judges it: with every way to write the files that it is about, links resolved. */
export async function questionOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  look: PathLook,
): Promise<PermissionQuestion> {
  if (tool === "bash") return { tool, input, paths: [], named: await namedBy(input.command, look) };
  const path = typeof input.path === "string" ? input.path : FOLDER_TOOLS.has(tool) ? "." : undefined;
  const others = PATH_TOOLS.has(tool) ? [] : await pathsInTexts(input, look);
  if (path === undefined || path.includes("\0")) return { tool, input, paths: others, realPaths: [] };
  const { cwd, files, homeDirectory } = look;
  const found = await findPath(path, { cwd, environment: { files, homeDirectory } });
  return {
    ...{ tool, input, realPaths: await formsOf(found, look, "real") },
    paths: [...(await everyPath(path, look)), ...others],
  };
}

/** Nobody knows which arguments of a foreign tool are paths, so that each text may be one. */
async function pathsInTexts(
  input: Readonly<Record<string, unknown>>,
  look: PathLook,
): Promise<readonly string[]> {
  const texts = textsIn(input).filter((text) => text.length <= MOST_PATH_CHARS && !/[\0\n]/.test(text));
  const paths = await Promise.all(texts.slice(0, MOST_TEXTS).map((text) => everyPath(text, look)));
  return paths.flat();
}

/** What any spelling of a path could mean, most likely first. */
async function everyPath(path: string, look: PathLook): Promise<readonly string[]> {
  const spellings = pathSpellings(path, look.homeDirectory).map((spelling) => resolve(look.cwd, spelling));
  const forms = await Promise.all(spellings.map((spelling) => formsOf(spelling, look, "all")));
  return [...new Set(forms.flat())];
}

async function namedBy(command: unknown, look: PathLook): Promise<readonly NamedPath[]> {
  if (typeof command !== "string" || command.includes("\0")) return [];
  const known = new Map<string, Promise<readonly string[]>>();
  const forms = (path: string): Promise<readonly string[]> => {
    const found = known.get(path) ?? formsOf(path, look, "all");
    known.set(path, found);
    return found;
  };
  const paths = commandPaths(splitShellLine(command), look);
  return Promise.all(
    paths.map(async ({ path, within, command: index, isWritten }) => ({
      ...{ command: index, isWritten, forms: await forms(path) },
      within: within === undefined ? [] : (await forms(within)).filter((form) => form.startsWith("/")),
    })),
  );
}

/** A path relative to the working directory and absolute, as it is and where its links lead. */
async function formsOf(
  absolute: string,
  { cwd, files }: PathLook,
  which: "real" | "all",
): Promise<readonly string[]> {
  const real = await files.realPath(absolute).catch(() => absolute);
  const realCwd = await files.realPath(cwd).catch(() => cwd);
  const ofReal = [displayPath(real, realCwd), displayPath(real, cwd), real];
  return [...new Set(which === "real" ? ofReal : [displayPath(absolute, cwd), absolute, ...ofReal])];
}

/** Every text of a value, wherever it stands in it. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 5) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}
