import { createContext, Script } from "node:vm";
import type { FileSystem } from "../../env/environment.ts";
import { detectEncoding } from "../../text/encoding.ts";
import { clipLine } from "../../text/truncate.ts";
import { compileGlob } from "../search/glob.ts";
import { walkFiles } from "../search/walk-files.ts";
import { errorCode, ToolError } from "../tool-error.ts";
import { type GrepRequest, MAX_LINE_CHARACTERS } from "./match.ts";

/** Larger files are not searched without ripgrep: they would have to be in memory whole. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** Searches by walking the files, for environments without ripgrep. Patterns are those of JavaScript. */
export async function searchPlainly(request: GrepRequest, files: FileSystem): Promise<void> {
  const { folder, fileName, glob, signal } = request;
  const expression = compilePattern(request);
  const matchesGlob = glob === undefined ? () => true : compileGlob(glob);
  const paths = fileName === undefined ? walkFiles(folder, { files, signal }) : [fileName];
  for await (const path of paths) {
    signal.throwIfAborted();
    if (!matchesGlob(path)) continue;
    const text = await readSearchable(`${folder}/${path}`, files);
    if (text !== undefined && !reportMatches(path, text, expression, request)) return;
  }
}

function compilePattern({ pattern, isLiteral, ignoreCase }: GrepRequest): RegExp {
  const source = isLiteral ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : pattern;
  try {
    return new RegExp(source, ignoreCase ? "iu" : "u");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(`The search failed: ${reason}\nUse literal: true to search for plain text.`, {
      cause,
    });
  }
}

/** Undefined for binary, huge and unreadable files. */
async function readSearchable(path: string, files: FileSystem): Promise<string | undefined> {
  try {
    const { kind, sizeBytes } = await files.stat(path);
    if (kind !== "file" || sizeBytes > MAX_FILE_BYTES) return undefined;
    const data = await files.readFile(path);
    const encoding = detectEncoding(data);
    return encoding === undefined ? undefined : new TextDecoder(encoding.name).decode(data);
  } catch {
    return undefined;
  }
}

/** False when the listener wants no more. */
function reportMatches(path: string, text: string, expression: RegExp, request: GrepRequest): boolean {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const plain = lines.map((line) => line.replace(/\r$/, ""));
  const hits = hitsOf(plain, expression);
  for (const [index, line] of plain.entries()) {
    const isNear = hits.has(index) || isNearHit(hits, index, request.contextLines);
    if (!isNear) continue;
    const isCut = line.length > MAX_LINE_CHARACTERS;
    const shown = clipLine(line, MAX_LINE_CHARACTERS);
    if (!request.onLine({ path, line: index + 1, text: shown, isMatch: hits.has(index), isCut }))
      return false;
  }
  return true;
}

/** A pattern that goes back over a line again and again must not hang the program (fault kind PF-06). */
const MOST_MS_A_FILE = 2000;
const TEST_LINES = new Script("lines.flatMap((line, index) => (expression.test(line) ? [index] : []))");

/** Indexes of the lines that match. Throws `ToolError` for a pattern that takes too long. */
function hitsOf(lines: readonly string[], expression: RegExp): ReadonlySet<number> {
  try {
    const context = createContext({ lines, expression });
    return new Set(TEST_LINES.runInContext(context, { timeout: MOST_MS_A_FILE }) as readonly number[]);
  } catch (error) {
    if (errorCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new ToolError("The search took too long. Use a simpler pattern, without repeats in repeats.", {
      cause: error,
    });
  }
}

function isNearHit(hits: ReadonlySet<number>, index: number, distance: number): boolean {
  for (let step = 1; step <= distance; step++) {
    if (hits.has(index - step) || hits.has(index + step)) return true;
  }
  return false;
}
