import { inertLine } from "../../../render/terminal-text.ts";
import { ageText } from "../../../render/units.ts";
import { evenEmoji } from "../even-emoji.ts";
import { clipLine } from "../screen.ts";
import type { Paint, Tone } from "../theme.ts";
import type { RowKind } from "./tree-row.ts";
import type { TreeRow } from "./tree-rows.ts";

const MAX_CHARACTERS = 300;
const MAX_LABEL_CHARACTERS = 40;

/** Sign and colour of each kind. */
const KINDS: Readonly<Record<RowKind, readonly [sign: string, tone: Tone]>> = {
  user: ["›", "user"],
  assistant: ["•", "strong"],
  tool: ["←", "dim"],
  shell: ["$", "dim"],
  note: ["◆", "dim"],
  compaction: ["≡", "meterSummary"],
  summary: ["≡", "meterSummary"],
  setting: ["·", "dim"],
};

/** What the signs mean, for `/help`. */
export const TREE_LEGEND = "› yours  • answer  $ your command  ≡ compaction, summary  ◆ note  ▸ you are here";

export interface TreeLineOptions {
  readonly isSelected: boolean;
  readonly width: number;
  readonly nowMs: number;
  readonly paint: Paint;
}

/** One row of the tree: branch lines, position, kind, label, text, age. */
export function treeLine(row: TreeRow, { isSelected, width, nowMs, paint }: TreeLineOptions): string {
  const [sign, tone] = KINDS[row.kind];
  const here = row.isHere ? "▸" : row.isOnPath ? "│" : " ";
  const label =
    row.label === undefined ? "" : `${paint("accent", `[${inertLine(row.label, MAX_LABEL_CHARACTERS)}]`)} `;
  const folded = row.folded === 0 ? "" : paint("dim", ` (+${row.folded})`);
  const text = evenEmoji(inertLine(row.text, MAX_CHARACTERS));
  const name = row.kind === "compaction" || row.kind === "summary" ? `${row.kind}: ` : "";
  const body = row.isOnPath || isSelected ? text : paint("dim", text);
  const age = paint("dim", ageText(Date.parse(row.timestamp), nowMs).padStart(6));
  const cursor = isSelected ? paint("accent", "→") : " ";
  const left = `${cursor}${paint("accent", here)}${age} ${paint("dim", row.guides)}${paint(tone, sign)} ${label}`;
  return clipLine(`${left}${name}${body}${folded}`, width);
}

/** The beginning of an entry's text, below the tree. */
export function previewLines(
  text: string,
  { width, lines, paint }: { readonly width: number; readonly lines: number; readonly paint: Paint },
): readonly string[] {
  const all = text.split("\n").filter((line) => line.trim() !== "");
  const shown = all
    .slice(0, lines)
    .map((line) => paint("dim", clipLine(`  ${evenEmoji(inertLine(line, MAX_CHARACTERS))}`, width)));
  // The same height for every row: the list above must not jump.
  return [...shown, ...Array.from({ length: lines - shown.length }, () => "")];
}
