import type { AgentEventMap } from "@coppice/agent";
import type { Style } from "./style.ts";
import { inertLine } from "./terminal-text.ts";
import { durationText } from "./units.ts";

/** Arguments that say best what a call does, first found wins. */
const MAIN_ARGUMENTS = ["command", "path", "file_path", "pattern", "query", "url", "name"] as const;

/** Room for the main argument, so that a line with its ending fits 100 columns. */
const MAX_ARGUMENT_COLUMNS = 72;

export interface FinishedCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly end: AgentEventMap["tool_execution_end"];
}

/** One line for a finished tool call: mark, name, main argument, outcome, duration. No line feed. */
export function toolLine({ toolName, args, end }: FinishedCall, style: Style): string {
  const mark = end.isError ? style("red", "✗") : style("green", "✓");
  const argument = mainArgument(args);
  const outcome = `(${[outcomeText(end), durationText(end.durationMs)].join(", ")})`;
  return [mark, inertLine(toolName, 40), ...(argument === "" ? [] : [argument]), style("dim", outcome)].join(
    " ",
  );
}

/** The argument that says best what a call does, as one inert line. */
export function mainArgument(args: Readonly<Record<string, unknown>>): string {
  const name =
    MAIN_ARGUMENTS.find((candidate) => typeof args[candidate] === "string") ??
    Object.keys(args).find((candidate) => typeof args[candidate] === "string");
  const value = name === undefined ? undefined : args[name];
  return typeof value === "string" ? inertLine(value, MAX_ARGUMENT_COLUMNS) : "";
}

function outcomeText({ result, isError }: AgentEventMap["tool_execution_end"]): string {
  const details = result.details;
  const exitCode =
    typeof details === "object" && details !== null && "exitCode" in details ? details.exitCode : undefined;
  if (typeof exitCode === "number") return `exit ${exitCode}`;
  return isError ? "error" : "ok";
}
