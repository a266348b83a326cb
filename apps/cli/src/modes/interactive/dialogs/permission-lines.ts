import type { PermissionRequest } from "@coppice/coding-agent";
import { inertLine, inertText } from "../../../render/terminal-text.ts";
import type { Paint } from "../theme.ts";
import type { Choice } from "../views/picker.ts";

const MAX_LINES = 12;
const MAX_CHARACTERS = 500;

/** What a call would do, whole enough to judge it: nothing of a command is hidden behind its first line. */
export function permissionLines(request: PermissionRequest, paint: Paint): readonly string[] {
  return [
    `${paint("warning", "?")} ${paint("strong", inertLine(request.tool, 60))} wants to run`,
    ...inputLines(request.input),
    paint("dim", inertLine(request.reason, MAX_CHARACTERS)),
    "",
  ];
}

function inputLines(input: PermissionRequest["input"]): readonly string[] {
  const lines = Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    const [first = "", ...rest] = inertText(text).split("\n");
    const label = name === "command" ? "$" : `${inertLine(name, 40)}:`;
    return [`  ${label} ${inertLine(first, MAX_CHARACTERS)}`, ...rest.map((line) => `    ${clipped(line)}`)];
  });
  const hidden = lines.length - MAX_LINES;
  // The end of a long text is as telling as its beginning.
  if (hidden <= 0) return lines;
  const half = MAX_LINES / 2;
  return [...lines.slice(0, half), `  … ${hidden} lines …`, ...lines.slice(-half)];
}

/** Keeps the indentation of a line. */
function clipped(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll("\t", "  ") ?? "";
  return `${indent}${inertLine(line, MAX_CHARACTERS)}`;
}

/** How a person may answer; without a rule there is nothing to remember. */
export type PermissionChoice = "once" | "session" | "always" | "deny" | "reason";

export function permissionChoices(rule: string | undefined): readonly Choice[] {
  const choice = (value: PermissionChoice, label: string): Choice => ({ value, label });
  const remembered =
    rule === undefined
      ? []
      : [
          choice("session", `Yes, and ${rule} in this session`),
          choice("always", `Yes, and ${rule} from now on (saved)`),
        ];
  return [
    choice("once", "Yes, this once"),
    ...remembered,
    choice("deny", "No"),
    choice("reason", "No, and say what to do instead"),
  ];
}
