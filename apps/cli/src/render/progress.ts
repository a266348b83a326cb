import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";
import { inertLine } from "./terminal-text.ts";
import { mainArgument } from "./tool-line.ts";
import { elapsedText } from "./units.ts";

/** Something that is waited for. */
export interface Step {
  readonly label: string;
  /** Unix milliseconds. */
  readonly startedMs: number;
  /** When a wait of known length is over, in Unix milliseconds. */
  readonly untilMs?: number;
}

/** What a run waits for at a moment. */
export interface Progress {
  /** The model, a retry, or a compaction. */
  readonly waiting: Step | undefined;
  /** The calls that run, by call id, oldest first. */
  readonly calls: ReadonlyMap<string, Step>;
}

export const NO_PROGRESS: Progress = { waiting: undefined, calls: new Map() };

export interface ProgressOptions {
  /** `provider/model`. */
  readonly model: string;
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Whether the answer's text appears on the same terminal as it comes. */
  readonly isAnswerInSight: boolean;
}

/** What is waited for after an event. */
export function progressAfter(
  progress: Progress,
  event: AgentEvent | HarnessEvent,
  options: ProgressOptions,
): Progress {
  const { model, nowMs, isAnswerInSight } = options;
  const waitFor = (label: string) => ({ ...progress, waiting: { label, startedMs: nowMs } });
  switch (event.type) {
    case "turn_start":
    case "compaction_end":
      return waitFor(`waiting for ${model}`);
    case "compaction_start":
      return waitFor("compacting");
    case "auto_retry_start": {
      const label = `retry ${event.attempt}/${event.maxAttempts}`;
      const waiting = { label, startedMs: nowMs, untilMs: nowMs + event.delayMs };
      return { ...progress, waiting };
    }
    case "message_update":
      // The cursor stands in the answer from its first word to its end.
      return isAnswerInSight && event.event.type === "text_delta"
        ? { ...progress, waiting: undefined }
        : progress;
    case "message_end":
      return event.message.role === "assistant" ? { ...progress, waiting: undefined } : progress;
    case "tool_execution_start": {
      const label = `${inertLine(event.toolName, 40)} ${mainArgument(event.args)}`.trim();
      const calls = new Map(progress.calls).set(event.toolCallId, { label, startedMs: nowMs });
      return { ...progress, calls };
    }
    case "tool_execution_end": {
      const calls = new Map(progress.calls);
      calls.delete(event.toolCallId);
      return { ...progress, calls };
    }
    case "agent_settled":
      return NO_PROGRESS;
    default:
      return progress;
  }
}

/** The step to show: the oldest call that runs, or what else is waited for. */
export function currentStep({ waiting, calls }: Progress): Step | undefined {
  return calls.values().next().value ?? waiting;
}

/** One inert line: what is waited for, how long already, or for how long still. */
export function progressText(progress: Progress, nowMs: number, columns: number): string {
  const step = currentStep(progress);
  if (step === undefined) return "";
  const more = progress.calls.size > 1 ? ` and ${progress.calls.size - 1} more` : "";
  const time =
    step.untilMs === undefined
      ? ` · ${elapsedText(nowMs - step.startedMs)}`
      : ` in ${elapsedText(step.untilMs - nowMs + 999)}`;
  const end = `${more}${time}`;
  // A line as wide as the terminal would wrap and could not be erased.
  const room = columns - 1 - end.length;
  return room > 0
    ? `${fitting(step.label, room)}${end}`
    : fitting(`${step.label}${end}`, Math.max(1, columns - 1));
}

/** The first code point of those that may take two columns of a terminal. */
const FIRST_WIDE = 0x1100;

/** The text as one inert line that is surely no wider than the columns: what may be wide counts as wide. */
function fitting(text: string, columns: number): string {
  const line = inertLine(text, columns);
  let left = columns;
  const wide = [...line].findIndex((character) => {
    left -= (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
    return left < 0;
  });
  return wide === -1 ? line : `${[...line].slice(0, Math.max(0, wide - 1)).join("")}…`;
}
