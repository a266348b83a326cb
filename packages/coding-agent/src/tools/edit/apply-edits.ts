import { ToolError } from "../tool-error.ts";
import { type Location, Locator, lineNumberAt, type Place } from "./locate.ts";
import { type Replacement, rewrite } from "./rewrite.ts";

export interface AppliedEdits {
  readonly text: string;
  /** 1-based numbers of the edits that matched only approximately. */
  readonly approximate: readonly number[];
}

/**
 * Applies all edits or none. Each is matched against `original`, must have one place, and must not overlap another.
 *
 * Throws `ToolError` with what is wrong and with which edit.
 */
export function applyEdits(original: string, edits: readonly Replacement[], shownPath: string): AppliedEdits {
  if (edits.length === 0) throw new ToolError("No edits given. Pass edits: [{ oldText, newText }].");
  const locator = new Locator(original);
  const placed = edits.map((edit, index) => ({
    number: index + 1,
    edit,
    place: requirePlace(locator.locate(requireOldText(edit, index + 1)), {
      name: nameOf(index + 1, edits),
      edit,
      original,
      shownPath,
    }),
  }));
  placed.sort((a, b) => a.place.start - b.place.start || a.place.end - b.place.end);
  let text = "";
  let position = 0;
  placed.forEach(({ place, edit, number }, index) => {
    const before = placed[index - 1];
    if (before !== undefined && place.start < before.place.end) {
      throw new ToolError(
        `Edits ${before.number} and ${number} overlap in ${shownPath}. Join them into one edit. Nothing was changed.`,
      );
    }
    text += original.slice(position, place.start) + rewrite(original, place, edit);
    position = place.end;
  });
  text += original.slice(position);
  if (text === original)
    throw new ToolError(`The edits change nothing in ${shownPath}: new and old text are the same.`);
  const approximate = placed
    .filter(({ place }) => place.folding === "typography")
    .map(({ number }) => number);
  return { text, approximate: approximate.sort((a, b) => a - b) };
}

function requireOldText(edit: Replacement, number: number): string {
  if (edit.oldText === "") {
    throw new ToolError(
      `Edit ${number}: oldText is empty. Name the text to replace; use write for a new file.`,
    );
  }
  return edit.oldText;
}

function nameOf(number: number, edits: readonly Replacement[]): string {
  return edits.length === 1 ? "oldText" : `oldText of edit ${number}`;
}

interface Request {
  readonly name: string;
  readonly edit: Replacement;
  readonly original: string;
  readonly shownPath: string;
}

function requirePlace(location: Location, request: Request): Place {
  if (location.kind === "found") return location.place;
  const { name, shownPath } = request;
  if (location.kind === "ambiguous") {
    const more = location.hasMoreLines ? " and more" : "";
    const noun = location.lines.length === 1 && !location.hasMoreLines ? "line" : "lines";
    throw new ToolError(
      `${name} occurs ${location.count} times in ${shownPath} (${noun} ${location.lines.join(", ")}${more}). Add surrounding lines to make it unique. Nothing was changed.`,
    );
  }
  throw new ToolError(`${name} does not occur in ${shownPath}.${hintFor(request)} Nothing was changed.`);
}

/** Points to where the first line of the wanted text is, if that is anywhere. */
function hintFor({ edit, original }: Request): string {
  if (original === "") return " The file is empty; use write.";
  const firstLine = edit.oldText
    .split(/\r\n|\r|\n/)
    .find((line) => line.trim() !== "")
    ?.trim();
  const at = firstLine === undefined ? -1 : original.indexOf(firstLine);
  if (at === -1) return " Read the file and copy the text exactly.";
  return ` Its first line is at line ${lineNumberAt(original, at)}, but what is around it differs (indentation?).`;
}
