import type { AnswerPart, ContentPart, EntryView } from "../src/export/export-data.ts";
import { plainLine } from "./shown-text.ts";

const MAX_TITLE_CHARACTERS = 120;

/** Everything that an entry says, for the search. */
export function entryText(view: EntryView): string {
  switch (view.kind) {
    case "prompt":
      return partsText(view.parts);
    case "answer":
      return [...view.parts.map(answerPartText), view.error ?? "", view.model].join("\n");
    case "result":
      return [view.tool, partsText(view.parts), view.diff ?? ""].join("\n");
    case "command":
      return `${view.command}\n${view.output}`;
    case "summary":
      return view.text;
    case "message":
      return `${view.title}\n${partsText(view.parts)}`;
    case "note":
      return `${view.title}\n${view.text ?? ""}`;
  }
}

/** What an entry is, in one line. */
export function entryTitle(view: EntryView): string {
  const title = rawTitle(view);
  const isMarked = view.kind === "answer" || view.kind === "summary";
  return plainLine(isMarked ? withoutMarks(title) : title, MAX_TITLE_CHARACTERS) || `(${view.kind})`;
}

function rawTitle(view: EntryView): string {
  switch (view.kind) {
    case "prompt":
      return partsText(view.parts);
    case "answer":
      return answerTitle(view.parts) || view.error || view.ending || "";
    case "result":
      return `${view.tool}: ${partsText(view.parts)}`;
    case "command":
      return `$ ${view.command}`;
    case "summary":
      return view.of === "compaction" ? "Compaction" : `Branch summary: ${withoutMarks(view.text)}`;
    case "message":
      return `${view.title}: ${partsText(view.parts)}`;
    case "note":
      return view.title;
  }
}

function answerTitle(parts: readonly AnswerPart[]): string {
  const text = parts.find((part) => part.type === "text" && part.text.trim() !== "");
  if (text?.type === "text") return text.text;
  return parts.flatMap((part) => (part.type === "call" ? [`${part.tool} ${part.title}`] : [])).join(", ");
}

function partsText(parts: readonly ContentPart[]): string {
  return parts
    .map((part) =>
      part.type === "text" ? part.text : part.type === "image" ? "[image]" : `[${part.reason}]`,
    )
    .join("\n");
}

function answerPartText(part: AnswerPart): string {
  if (part.type !== "call") return part.text;
  return [part.tool, ...part.input.map(({ text }) => text)].join("\n");
}

/** A line is no place for the marks of Markdown. */
function withoutMarks(text: string): string {
  return text.slice(0, MAX_TITLE_CHARACTERS * 4).replace(/\*\*|`|^\s*#{1,6} /gm, "");
}
