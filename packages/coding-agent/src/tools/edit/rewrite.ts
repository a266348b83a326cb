import { diffArrays } from "diff";
import { type FoldedText, foldText } from "./fold.ts";
import type { Place } from "./locate.ts";

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** A line with its ending; the last one of a text may have none. */
const LINE = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;

/**
 * What stands at `place` after a replacement.
 *
 * An exact match becomes the new text as given, with the file's line endings. Where the match had to be forgiven, what
 * old and new text have in common keeps the file's own characters: only the bytes that were asked for change.
 */
export function rewrite(original: string, place: Place, { oldText, newText }: Replacement): string {
  const ending = lineEndingNear(original, place);
  if (place.folding === "none") return withEndings(newText, oldText, ending);
  const there = linesOf(original.slice(place.start, place.end));
  const oldLines = linesOf(toLineFeeds(oldText));
  const newLines = linesOf(toLineFeeds(newText));
  let at = 0;
  let result = "";
  for (const part of hunks(oldLines, newLines)) {
    const kept = there.slice(at, at + part.old.length);
    if (part.isSame) result += kept.join("");
    else result += rewriteHunk(part, kept, ending);
    at += part.old.length;
  }
  return result;
}

interface Hunk {
  readonly isSame: boolean;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

function hunks(oldLines: readonly string[], newLines: readonly string[]): readonly Hunk[] {
  const result: Hunk[] = [];
  let removed: readonly string[] = [];
  for (const part of diffArrays([...oldLines], [...newLines])) {
    if (part.removed) {
      removed = part.value;
      continue;
    }
    if (part.added) result.push({ isSame: false, old: removed, new: part.value });
    else {
      if (removed.length > 0) result.push({ isSame: false, old: removed, new: [] });
      result.push({ isSame: true, old: part.value, new: part.value });
    }
    removed = [];
  }
  if (removed.length > 0) result.push({ isSame: false, old: removed, new: [] });
  return result;
}

/** Old and new lines are paired in order; any pairing is right, since only what a pair shares is kept. */
function rewriteHunk(hunk: Hunk, kept: readonly string[], ending: string): string {
  return hunk.new
    .map((line, index) => rewriteLine(hunk.old[index] ?? "", line, kept[index] ?? "", ending))
    .join("");
}

/** Changes the middle of a line; the ends that old and new line share stay as they are in the file. */
function rewriteLine(oldLine: string, newLine: string, there: string, ending: string): string {
  const oldFold = foldText(oldLine, "typography");
  const thereFold = foldText(there, "typography");
  const start = clusterStart(oldFold, commonStart(oldLine, newLine));
  const end = clusterEnd(oldFold, oldLine.length - commonEnd(oldLine.slice(start), newLine.slice(start)));
  const unitsBefore = oldFold.ends.filter((unitEnd) => unitEnd <= start).length;
  const unitsAfter = oldFold.starts.filter((unitStart) => unitStart >= end).length;
  const keepStart = unitsBefore === 0 ? 0 : (thereFold.ends[unitsBefore - 1] ?? 0);
  const keepEnd = unitsAfter === 0 ? there.length : (thereFold.starts.at(-unitsAfter) ?? there.length);
  const middle = newLine.slice(start, newLine.length - (oldLine.length - end)).replaceAll("\n", ending);
  return there.slice(0, keepStart) + middle + there.slice(Math.max(keepStart, keepEnd));
}

/** The position, or the start of the folded character that it would split. */
function clusterStart({ starts, ends }: FoldedText, position: number): number {
  const split = starts.findIndex((start, unit) => start < position && position < (ends[unit] ?? 0));
  return split === -1 ? position : (starts[split] ?? position);
}

/** The position, or the end of the folded character that it would split. */
function clusterEnd({ starts, ends }: FoldedText, position: number): number {
  const split = starts.findIndex((start, unit) => start < position && position < (ends[unit] ?? 0));
  return split === -1 ? position : (ends[split] ?? position);
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function commonEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}

function linesOf(text: string): readonly string[] {
  return text.match(LINE) ?? [];
}

function toLineFeeds(text: string): string {
  return text.replace(/\r\n|\r/g, "\n");
}

/**
 * New text of an exact match. In a CRLF file every new line gets CRLF, except when CRLF was asked to become LF; elsewhere
 * the text stands as given.
 */
function withEndings(newText: string, oldText: string, ending: string): string {
  if (ending === "\n" || (oldText.includes("\r") && !newText.includes("\r"))) return newText;
  return newText.replace(/\r\n|\n/g, ending);
}

/** The line ending in use at a place: inside it, else before it, else after it. */
function lineEndingNear(original: string, place: Place): string {
  const inside = /\r\n|\r|\n/.exec(original.slice(place.start, place.end));
  if (inside) return inside[0];
  const before = original.slice(0, place.start);
  const lineFeed = before.lastIndexOf("\n");
  const carriageReturn = before.lastIndexOf("\r");
  if (lineFeed !== -1 || carriageReturn !== -1) {
    if (carriageReturn > lineFeed) return "\r";
    return before[lineFeed - 1] === "\r" ? "\r\n" : "\n";
  }
  return /\r\n|\r|\n/.exec(original.slice(place.end))?.[0] ?? "\n";
}
