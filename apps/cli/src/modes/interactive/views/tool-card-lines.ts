import { stripVTControlCharacters } from "node:util";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { inertLine } from "../../../render/terminal-text.ts";
import { mainArgument } from "../../../render/tool-line.ts";
import { durationText } from "../../../render/units.ts";
import { fileLanguage } from "../highlight/file-language.ts";
import { keyText } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import { screenLines } from "../screen-text.ts";
import type { HighlightCode, Paint, Tone } from "../theme.ts";

/** Where a call is on its way: its arguments stream, a person is asked whether it may run, it runs, it is over, it never ran, or nobody knows whether it did. */
type ToolCardStatus = "preparing" | "waiting" | "running" | "ok" | "failed" | "dropped" | "unknown";

/** What a card shows of a call. */
export interface ToolCardState {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: ToolCardStatus;
  /** Text of the result, or of what has come so far. */
  readonly output: string;
  readonly details: unknown;
  readonly durationMs: number | undefined;
  readonly isExpanded: boolean;
}

/** How many lines a card shows unasked, and from which end; a command's end matters most. */
const PREVIEW: Readonly<Record<string, { readonly lines: number; readonly from: "start" | "end" }>> = {
  bash: { lines: 6, from: "end" },
  read: { lines: 0, from: "start" },
};
const DEFAULT_PREVIEW = { lines: 4, from: "start" } as const;
const DIFF_PREVIEW = { lines: 16, from: "start" } as const;
const ERROR_PREVIEW = { lines: 8, from: "end" } as const;

const MARKS = {
  preparing: ["dim", "○"],
  waiting: ["warning", "●"],
  running: ["accent", "●"],
  ok: ["success", "✓"],
  failed: ["error", "✗"],
  dropped: ["dim", "–"],
  unknown: ["warning", "?"],
} as const satisfies Readonly<Record<ToolCardStatus, readonly [Tone, string]>>;

/** How a card is coloured. */
export interface CardLook {
  readonly paint: Paint;
  readonly highlight: HighlightCode;
}

/** The lines of a card, with a blank line above: what was called, how it went, and the output in short. */
export function toolCardLines(state: ToolCardState, width: number, look: CardLook): readonly string[] {
  const { paint } = look;
  const body = bodyOf(state, look);
  const preview = previewOf(state, body.isDiff);
  const indented = body.lines.map((line) => `  ${line}`);
  const head = clipLine(headLine(state, paint), width);
  if (state.isExpanded) return ["", head, ...indented.flatMap((line) => wrapped(line, width))];
  const hidden = indented.length - preview.lines;
  if (hidden <= 0) return ["", head, ...indented.map((line) => clipLine(line, width))];
  const shown = preview.from === "start" ? indented.slice(0, preview.lines) : indented.slice(hidden);
  const count = `${preview.lines === 0 ? "" : "+"}${hidden} ${hidden === 1 ? "line" : "lines"}`;
  const more = paint("dim", `  … ${count} (${keyText("app.expand")})`);
  const lines = preview.from === "start" ? [...shown, more] : [more, ...shown];
  return ["", head, ...lines.map((line) => clipLine(line, width))];
}

/** Of a line that shows something, no part shows nothing: blanks or styles before a long word would make one. */
function wrapped(line: string, width: number): readonly string[] {
  const lines = wrapTextWithAnsi(line, width).filter((part) => stripVTControlCharacters(part).trim() !== "");
  return lines.length === 0 ? [""] : lines;
}

function headLine(state: ToolCardState, paint: Paint): string {
  const [tone, mark] = MARKS[state.status];
  const argument = mainArgument(state.args);
  const name = paint("strong", inertLine(state.toolName, 40));
  const outcome = paint("dim", `(${outcomeText(state)})`);
  return [paint(tone, mark), name, ...(argument === "" ? [] : [argument]), outcome].join(" ");
}

function outcomeText({ status, details, durationMs }: ToolCardState): string {
  if (status === "preparing") return "preparing";
  if (status === "waiting") return "waiting for you";
  if (status === "running") return "running";
  if (status === "dropped") return "not run";
  if (status === "unknown") return "interrupted, outcome unknown";
  const exitCode = fieldOf(details, "exitCode");
  const outcome = typeof exitCode === "number" ? `exit ${exitCode}` : status === "ok" ? "ok" : "error";
  return durationMs === undefined ? outcome : `${outcome}, ${durationText(durationMs)}`;
}

function bodyOf(
  state: ToolCardState,
  { paint, highlight }: CardLook,
): { readonly lines: readonly string[]; readonly isDiff: boolean } {
  const diff = fieldOf(state.details, "diff");
  if (state.status === "ok" && typeof diff === "string" && diff.trim() !== "") {
    return { lines: screenLines(diff).map((line) => paint(diffTone(line), line)), isDiff: true };
  }
  const path = state.args.path;
  if (state.status === "ok" && state.toolName === "read" && state.isExpanded && typeof path === "string") {
    const language = fileLanguage(path);
    if (language !== undefined)
      return { lines: highlight(screenLines(state.output).join("\n"), language), isDiff: false };
  }
  const tone: Tone = state.status === "failed" ? "error" : "dim";
  return { lines: screenLines(state.output).map((line) => paint(tone, line)), isDiff: false };
}

function diffTone(line: string): Tone {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "dim";
}

function previewOf(state: ToolCardState, isDiff: boolean) {
  if (isDiff) return DIFF_PREVIEW;
  if (state.status === "failed") return ERROR_PREVIEW;
  return Object.hasOwn(PREVIEW, state.toolName)
    ? (PREVIEW[state.toolName] ?? DEFAULT_PREVIEW)
    : DEFAULT_PREVIEW;
}

function fieldOf(details: unknown, name: string): unknown {
  if (typeof details !== "object" || details === null) return undefined;
  return Object.hasOwn(details, name) ? (details as Readonly<Record<string, unknown>>)[name] : undefined;
}
