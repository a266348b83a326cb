import { inertLine, inertText } from "../../../render/terminal-text.ts";
import { screenText } from "../screen-text.ts";
import type { Tone } from "../theme.ts";

/** A line of a tool call, inert; `indent` is in columns. */
export interface CallLine {
  readonly text: string;
  readonly indent: number;
  readonly tone?: Tone;
}

/** Characters that cannot be seen or reorder what follows; both could make a call read as another one. */
const UNSEEN = /[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Every line of what a call would do: nothing is cut, and what cannot be seen is spelled out (fault B248). */
export function callLines(input: Readonly<Record<string, unknown>>): readonly CallLine[] {
  const { oldText, newText, ...others } = input;
  const isOneEdit = typeof oldText === "string" && typeof newText === "string";
  return [
    ...Object.entries(isOneEdit ? others : input).flatMap(([name, value]) => argumentLines(name, value)),
    ...(isOneEdit ? editLines({ oldText, newText }) : []),
  ];
}

function argumentLines(name: string, value: unknown): readonly CallLine[] {
  const label = name === "command" ? "$" : `${inertLine(name, 40)}:`;
  if (isEdits(value)) {
    return value.flatMap((edit, at) => [
      { text: `edit ${at + 1} of ${value.length}:`, indent: 2 },
      ...editLines(edit),
    ]);
  }
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const [first = "", ...rest] = visibleLines(text);
  return [{ text: `${label} ${first}`, indent: 2 }, ...rest.map((line) => ({ text: line, indent: 4 }))];
}

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** Anything else an edit may hold would not be seen among its lines. */
function isEdits(value: unknown): value is readonly Edit[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEdit);
}

function isEdit(value: unknown): value is Edit {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 2) return false;
  const { oldText, newText } = value as Partial<Readonly<Record<string, unknown>>>;
  return typeof oldText === "string" && typeof newText === "string";
}

function editLines({ oldText, newText }: Edit): readonly CallLine[] {
  const lines = (mark: string, text: string, tone: Tone) =>
    text === "" ? [] : visibleLines(text).map((line) => ({ text: `${mark} ${line}`, indent: 4, tone }));
  return [...lines("-", oldText, "removed"), ...lines("+", newText, "added")];
}

function visibleLines(text: string): readonly string[] {
  const seen = text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
  return screenText(inertText(seen)).split("\n");
}
