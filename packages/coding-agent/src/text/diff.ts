import { type StructuredPatchHunk, structuredPatch } from "diff";
import { clipLine } from "./truncate.ts";

const CONTEXT_LINES = 3;
/** Work limits: past them the changed region is shown as one replaced block. */
const MAX_EDIT_LENGTH = 2000;
const TIMEOUT_MS = 500;
/** Size limits of what is kept for people to look at. */
const MAX_DIFF_LINES = 1000;
const MAX_LINE_CHARACTERS = 2000;

/** A change of one text file, for people. Both forms are cut where they would be too long to look at. */
export interface TextDiff {
  /** Lines `+12 text`, `-12 text`, ` 12 text`, with line numbers of the new (removed: the old) file; ` ...` for gaps. */
  readonly diff: string;
  /** Unified diff with file headers. */
  readonly patch: string;
  /** 1-based, in the new file. */
  readonly firstChangedLine?: number;
}

/** Compares two versions of a file. Time and size are bounded, whatever the texts. */
export function diffTexts(path: string, before: string, after: string): TextDiff {
  const hunks = before === after ? [] : hunksOf(before, after);
  const first = hunks[0];
  const firstChange = first?.lines.findIndex((line) => !line.startsWith(" ")) ?? -1;
  return {
    diff: limited(hunks.flatMap((hunk, index) => [...(index > 0 ? [" ..."] : []), ...numbered(hunk)])),
    patch: limited([`--- a/${path}`, `+++ b/${path}`, ...hunks.flatMap(withHeader)]),
    ...(first === undefined ? {} : { firstChangedLine: Math.max(1, first.newStart + firstChange) }),
  };
}

/** Equal lines at both ends are left out first, so that a small change in a huge file is a small problem. */
function hunksOf(before: string, after: string): readonly StructuredPatchHunk[] {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  let start = 0;
  while (start < oldLines.length && oldLines[start] === newLines[start]) start++;
  let end = 0;
  const longest = Math.min(oldLines.length, newLines.length) - start;
  while (end < longest && oldLines.at(-1 - end) === newLines.at(-1 - end)) end++;
  const skipped = Math.max(0, start - CONTEXT_LINES);
  const keepEnd = Math.max(0, end - CONTEXT_LINES);
  const oldPart = oldLines.slice(skipped, oldLines.length - keepEnd);
  const newPart = newLines.slice(skipped, newLines.length - keepEnd);
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDIT_LENGTH, timeout: TIMEOUT_MS };
  const patch = structuredPatch("", "", oldPart.join(""), newPart.join(""), "", "", options);
  const hunks = patch?.hunks ?? [replacedBlock(oldPart, newPart)];
  return hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
  }));
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function replacedBlock(oldPart: readonly string[], newPart: readonly string[]): StructuredPatchHunk {
  const lines = [...oldPart.map((line) => `-${line}`), ...newPart.map((line) => `+${line}`)];
  return {
    oldStart: 1,
    oldLines: oldPart.length,
    newStart: 1,
    newLines: newPart.length,
    lines: lines.map((line) => line.replace(/\n$/, "")),
  };
}

function withHeader(hunk: StructuredPatchHunk): readonly string[] {
  // An empty side starts at the line before it.
  const oldStart = hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart;
  const newStart = hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart;
  return [`@@ -${oldStart},${hunk.oldLines} +${newStart},${hunk.newLines} @@`, ...hunk.lines];
}

function numbered(hunk: StructuredPatchHunk): readonly string[] {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return hunk.lines
    .filter((line) => !line.startsWith("\\"))
    .map((line) => {
      const mark = line.slice(0, 1);
      const number = mark === "-" ? oldLine : newLine;
      if (mark !== "+") oldLine++;
      if (mark !== "-") newLine++;
      return `${mark}${number} ${line.slice(1).replace(/\r$/, "")}`;
    });
}

function limited(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_DIFF_LINES).map((line) => clipLine(line, MAX_LINE_CHARACTERS));
  const rest = lines.length - shown.length;
  return `${shown.join("\n")}${rest > 0 ? `\n... ${rest} more lines` : ""}\n`;
}
