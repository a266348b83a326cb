import type { PermissionRequest } from "@coppice/coding-agent";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { inertLine } from "../../../render/terminal-text.ts";
import type { Paint } from "../theme.ts";
import type { Choice } from "../views/picker.ts";
import { type CallLine, callLines } from "./call-lines.ts";

const MAX_REASON = 500;
/** More is looked through page by page. */
const MAX_ROWS = 200;
const MAX_CHARACTERS = 16_000;
/** Rows of the screen for the choices, the hint, the draft and what stands above and below the question. */
const OTHER_ROWS = 17;
const MIN_ROWS = 6;

/** What is asked, and whether some of the call is not in `lines`. */
export interface PermissionText {
  readonly lines: readonly string[];
  readonly isCut: boolean;
  /** The call from its first character to its last, inert. */
  readonly whole: string;
}

/** Columns and rows of the terminal. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a call would do: all of it, or as much as can be on the screen at once and how much is not. */
export function permissionText(request: PermissionRequest, size: ScreenSize, paint: Paint): PermissionText {
  const all = callLines(request.input);
  const { rows, cutLines } = visibleRows(all, size, paint);
  const note =
    cutLines === 0
      ? []
      : [paint("warning", `  … ${cutLines} of ${all.length} lines are not shown, or not to their end`)];
  return {
    lines: [
      `${paint("warning", "?")} ${paint("strong", inertLine(request.tool, 60))} wants to run`,
      ...rows,
      ...note,
      paint("dim", inertLine(request.reason, MAX_REASON)),
      "",
    ],
    isCut: cutLines > 0,
    whole: all.map(({ text, indent }) => `${" ".repeat(indent)}${text}`).join("\n"),
  };
}

/** Rows of the screen, as many as fit; `cutLines` counts the lines that are not there to their last character. */
function visibleRows(
  lines: readonly CallLine[],
  { columns, rows: height }: ScreenSize,
  paint: Paint,
): { readonly rows: readonly string[]; readonly cutLines: number } {
  const room = Math.min(MAX_ROWS, Math.max(MIN_ROWS, height - OTHER_ROWS));
  const rows: string[] = [];
  let characters = 0;
  for (const [at, { text, indent, tone }] of lines.entries()) {
    const shown = text.slice(0, MAX_CHARACTERS - characters);
    characters += shown.length;
    // What is wrapped stays indented, so that it cannot pass for a line of the question.
    const wrapped = wrapTextWithAnsi(shown, Math.max(1, columns - indent)).map(
      (row) => `${" ".repeat(indent)}${tone === undefined ? row : paint(tone, row)}`,
    );
    const free = room - rows.length;
    rows.push(...wrapped.slice(0, free));
    if (wrapped.length > free || shown.length < text.length) return { rows, cutLines: lines.length - at };
  }
  return { rows, cutLines: 0 };
}

/** How a person may answer; without a rule there is nothing to remember. */
export type PermissionChoice = "show" | "once" | "session" | "always" | "deny" | "reason";

/** What hides something offers to show it before anything else. */
export function permissionChoices(rule: string | undefined, isCut: boolean): readonly Choice[] {
  const choice = (value: PermissionChoice, label: string): Choice => ({ value, label });
  const remembered =
    rule === undefined
      ? []
      : [
          choice("session", `Yes, and ${rule} in this session`),
          choice("always", `Yes, and ${rule} from now on (saved)`),
        ];
  return [
    ...(isCut ? [choice("show", "Show the whole call")] : []),
    choice("once", "Yes, this once"),
    ...remembered,
    choice("deny", "No"),
    choice("reason", "No, and say what to do instead"),
  ];
}
