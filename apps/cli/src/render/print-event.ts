import type { AgentEvent } from "@coppice/agent";
import type { StreamEvent } from "@coppice/ai";
import type { HarnessEvent, HarnessEventMap } from "@coppice/coding-agent";
import type { Style } from "./style.ts";
import { inertLine, inertText } from "./terminal-text.ts";
import { toolLine } from "./tool-line.ts";
import { durationText, tokensText } from "./units.ts";

const MAX_NOTICE_COLUMNS = 400;

/** What printing remembers from one event to the next. */
export interface PrintState {
  /** Whether any answer text is out. */
  readonly hasText: boolean;
  /** Whether the cursor of the answer stands at the beginning of a line. */
  readonly atLineStart: boolean;
  /** A character of which only the first half has come. */
  readonly held: string;
  /** Whether text of the message in progress is out. */
  readonly inMessage: boolean;
  /** Whether the latest message is out in part and broke off. */
  readonly isBroken: boolean;
  /** Diagnostics that were told, without their numbers. */
  readonly told: readonly string[];
  /** Arguments of the calls that run, by call id. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const START: PrintState = {
  hasText: false,
  atLineStart: true,
  held: "",
  inMessage: false,
  isBroken: false,
  told: [],
  calls: {},
};

/** What one event adds to standard output (`answer`) and standard error (`notice`), and the state after it. */
export interface PrintStep {
  readonly state: PrintState;
  readonly answer: string;
  readonly notice: string;
}

/** Prints one event of a run for a person: answer text as it comes, one line per finished tool call, notices. */
export function printEvent(state: PrintState, event: AgentEvent | HarnessEvent, style: Style): PrintStep {
  switch (event.type) {
    case "message_start":
      return silent({ ...state, inMessage: false, isBroken: false, held: "" });
    case "message_update":
      return printDelta(state, event.event);
    case "message_end":
      if (event.message.role !== "assistant") return silent(state);
      return endLine({ ...state, isBroken: state.inMessage && event.message.stopReason === "error" });
    case "tool_execution_start":
      return silent({ ...state, calls: { ...state.calls, [event.toolCallId]: event.args } });
    case "tool_execution_end": {
      const { [event.toolCallId]: args = {}, ...calls } = state.calls;
      const line = toolLine({ toolName: event.toolName, args, end: event }, style);
      return { state: { ...state, calls }, answer: "", notice: `${line}\n` };
    }
    case "diagnostic":
      return printDiagnostic(state, event, style);
    default:
      return { state, answer: "", notice: noticeOf(event, { style, isBroken: state.isBroken }) };
  }
}

/** A failure that goes on is told once, whatever its counts; why an answer failed is told with that failure. */
function printDiagnostic(
  state: PrintState,
  { level, message, code }: HarnessEventMap["diagnostic"],
  style: Style,
): PrintStep {
  if (code !== undefined) return silent(state);
  const kind = message.replace(/\d+/g, "#").replace(/\bentry\b/g, "entries");
  if (state.told.includes(kind)) return silent(state);
  const notice = noticeLine(`${level}: ${message}`, style);
  return { state: { ...state, told: [...state.told, kind] }, answer: "", notice };
}

function printDelta(state: PrintState, event: StreamEvent): PrintStep {
  if (event.type === "text_start" && state.inMessage) return endLine(state);
  if (event.type !== "text_delta") return silent(state);
  const whole = state.held + event.delta;
  const held = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : "";
  const text = inertText(held === "" ? whole : whole.slice(0, -1));
  if (text === "") return silent({ ...state, held });
  // One blank line between the texts of two messages, none before the first.
  const gap = !state.inMessage && state.hasText ? "\n" : "";
  return {
    state: { ...state, held, hasText: true, inMessage: true, atLineStart: text.endsWith("\n") },
    answer: `${gap}${text}`,
    notice: "",
  };
}

function endLine(state: PrintState): PrintStep {
  return {
    state: { ...state, held: "", atLineStart: true },
    answer: state.atLineStart ? "" : "\n",
    notice: "",
  };
}

function noticeLine(text: string, style: Style): string {
  return `${style("dim", inertLine(text, MAX_NOTICE_COLUMNS))}\n`;
}

function noticeOf(
  event: AgentEvent | HarnessEvent,
  { style, isBroken }: { readonly style: Style; readonly isBroken: boolean },
): string {
  const line = (text: string) => noticeLine(text, style);
  switch (event.type) {
    case "auto_retry_start":
      return line(
        `${isBroken ? "the answer broke off and starts again: " : ""}retry ${event.attempt}/${event.maxAttempts} in ${durationText(event.delayMs)}: ${event.errorMessage}`,
      );
    case "compaction_end": {
      if (event.errorMessage !== undefined) return line(`compaction failed: ${event.errorMessage}`);
      const result = event.result;
      if (result === undefined) return "";
      return line(`compacted ${tokensText(result.tokensBefore)} → ${tokensText(result.tokensAfter)} tokens`);
    }
    default:
      return "";
  }
}

function silent(state: PrintState): PrintStep {
  return { state, answer: "", notice: "" };
}
