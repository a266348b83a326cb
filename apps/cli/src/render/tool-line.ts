import type { AgentEventMap } from "@coppice/agent";
import type { Style } from "./style.ts";
import { inertLine } from "./terminal-text.ts";
import { durationText } from "./units.ts";

/** Arguments that say best what a call does, first found wins. */
const MAIN_ARGUMENTS = ["command", "path", "file_path", "pattern", "query", "url", "name"] as const;

/** Room for the main argument, so that a line with its ending fits 100 columns. */
const MAX_ARGUMENT_COLUMNS = 72;

/** A reason stands at the top; output of many lines is not searched to its end. */
const MAX_REASON_LINES = 50;

export interface FinishedCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly end: AgentEventMap["tool_execution_end"];
}

/** Room for the reason of a failure. */
const MAX_REASON_COLUMNS = 160;

/** One line for a finished tool call: mark, name, main argument, outcome, duration, why it failed. No line feed. */
export function toolLine({ toolName, args, end }: FinishedCall, style: Style): string {
  const mark = end.isError ? style("red", "✗") : style("green", "✓");
  const argument = mainArgument(args);
  const outcome = `(${[outcomeText(end), durationText(end.durationMs)].join(", ")})`;
  const line = [
    ...[mark, inertLine(toolName, 40)],
    ...(argument === "" ? [] : [argument]),
    style("dim", outcome),
  ].join(" ");
  const reason = end.isError ? reasonOf(end) : "";
  return reason === "" ? line : `${line}: ${reason}`;
}

/** The first line of a failed call's result that says something. */
function reasonOf({ result }: AgentEventMap["tool_execution_end"]): string {
  for (const block of result.content) {
    if (block.type !== "text") continue;
    for (const line of block.text.split("\n", MAX_REASON_LINES)) {
      const reason = inertLine(line, MAX_REASON_COLUMNS);
      if (reason !== "") return reason;
    }
  }
  return "";
}

/** The argument that says best what a call does, as one inert line. */
export function mainArgument(args: Readonly<Record<string, unknown>>): string {
  // A model may have made up anything, and a session of others may hold it (fault kind TO-32).
  const fields: Readonly<Record<string, unknown>> = typeof args === "object" && args !== null ? args : {};
  const name =
    MAIN_ARGUMENTS.find((candidate) => typeof fields[candidate] === "string") ??
    Object.keys(fields).find((candidate) => typeof fields[candidate] === "string");
  const value = name === undefined ? undefined : fields[name];
  return typeof value === "string" ? inertLine(value, MAX_ARGUMENT_COLUMNS) : "";
}

function outcomeText({ result, isError }: AgentEventMap["tool_execution_end"]): string {
  const details = result.details;
  const exitCode =
    typeof details === "object" && details !== null && "exitCode" in details ? details.exitCode : undefined;
  if (typeof exitCode === "number") return `exit ${exitCode}`;
  return isError ? "error" : "ok";
}
