import type { RunRipgrep } from "../../env/environment.ts";
import { compileGlob } from "../search/glob.ts";
import { RIPGREP_FILE_ARGUMENTS } from "../search/ripgrep-arguments.ts";
import { ToolError } from "../tool-error.ts";
import { type GrepLine, type GrepRequest, MAX_LINE_CHARACTERS } from "./match.ts";

/** Searches with ripgrep. Throws `ToolError` for a pattern that it cannot read. */
export async function searchWithRipgrep(request: GrepRequest, run: RunRipgrep): Promise<void> {
  const matchesGlob = request.glob === undefined ? () => true : compileGlob(request.glob);
  const onLine = joinRows((row) => {
    const line = parseRow(row);
    return line === undefined || !matchesGlob(line.path) || request.onLine(line);
  });
  const exit = await run(argumentsFor(request), { cwd: request.folder, signal: request.signal, onLine });
  request.signal.throwIfAborted();
  if (exit.exitCode === 2 && exit.stderr.trim() !== "") {
    throw new ToolError(
      `The search failed: ${exit.stderr.trim()}\nUse literal: true to search for plain text.`,
    );
  }
}

function argumentsFor(request: GrepRequest): readonly string[] {
  return [
    ...RIPGREP_FILE_ARGUMENTS,
    "--line-number",
    "--with-filename",
    "--no-heading",
    "--null",
    "--crlf",
    "--sort=path",
    `--max-columns=${MAX_LINE_CHARACTERS}`,
    "--max-columns-preview",
    `--context=${request.contextLines}`,
    ...(request.isLiteral ? ["--fixed-strings"] : []),
    ...(request.ignoreCase ? ["--ignore-case"] : []),
    ...typeFilter(request.glob),
    // The pattern is the value of an option, so that one that begins with a dash is no option itself.
    `--regexp=${request.pattern}`,
    "--",
    request.fileName === undefined ? "." : `./${request.fileName}`,
  ];
}

/** A glob option would bring ignored files back; a file type does not. It knows names only, the rest is filtered later. */
function typeFilter(glob: string | undefined): readonly string[] {
  const name = glob?.split("/").at(-1) ?? "";
  if (name === "" || name.includes("**") || /[{}]/.test(name)) return [];
  return [`--type-add=wanted:${name}`, "--type=wanted"];
}

/**
 * Puts rows together that a line feed in a file's name has cut apart. Every path begins with `./` and ends with NUL;
 * marks between groups and remarks on binary files have no NUL.
 */
function joinRows(onRow: (row: string) => boolean): (row: string) => boolean {
  let held = "";
  return (part) => {
    const row = held === "" || part.startsWith("./") ? part : `${held}\n${part}`;
    held = row.includes("\0") || !row.startsWith("./") ? "" : row;
    return held !== "" || onRow(row);
  };
}

const ROW = /^(?:\.\/)?([^\0]*)\0(\d+)([:-])(.*)$/s;
const CUT = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;

function parseRow(row: string): GrepLine | undefined {
  const found = ROW.exec(row);
  if (found === null) return undefined;
  const [, path = "", line = "", mark, rest = ""] = found;
  const text = rest.replace(/\r$/, "");
  return {
    path,
    line: Number(line),
    text,
    isMatch: mark === ":",
    isCut: text.length >= MAX_LINE_CHARACTERS && CUT.test(text),
  };
}
