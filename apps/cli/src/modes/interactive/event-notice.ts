import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";
import { withoutFullStop } from "../../render/sentence.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { durationText, tokensText } from "../../render/units.ts";
import type { NoticeLevel } from "./views/transcript-view.ts";

export interface EventNotice {
  readonly text: string;
  readonly level: NoticeLevel;
}

/** What an event says to a person in the conversation; undefined for those that show in other ways, or not at all. */
export function eventNotice(event: AgentEvent | HarnessEvent): EventNotice | undefined {
  switch (event.type) {
    case "agent_settled":
      return event.aborted ? { text: "Interrupted.", level: "warning" } : undefined;
    case "auto_retry_start": {
      const { attempt, maxAttempts, delayMs, errorMessage } = event;
      return {
        text: `Retry ${attempt} of ${maxAttempts} in ${durationText(delayMs)}: ${errorMessage}`,
        level: "warning",
      };
    }
    case "compaction_end":
      return compactionNotice(event);
    case "background_compaction":
      return backgroundNotice(event);
    case "context_masked": {
      const { entries, tokensBefore, tokensAfter } = event;
      const what = entries === 1 ? "One old result is" : `${entries} old results are`;
      return {
        text: `${what} sent shorter: ${tokensText(tokensBefore)} → ${tokensText(tokensAfter)} tokens. All of it stays in the session.`,
        level: "info",
      };
    }
    case "files_restored":
      return restoredNotice(event);
    case "pins_detected": {
      const rules = event.pins.map(({ text }) => `  ${text}`).join("\n");
      return {
        text: `Pinned, as every summary will keep it; /unpin takes it back:\n${rules}`,
        level: "info",
      };
    }
    case "diagnostic":
      return { text: event.message, level: event.level };
    default:
      return undefined;
  }
}

function compactionNotice(event: Extract<HarnessEvent, { type: "compaction_end" }>): EventNotice | undefined {
  const { reason, result, aborted, errorMessage } = event;
  if (result !== undefined) {
    const size = `${tokensText(result.tokensBefore)} → ${tokensText(result.tokensAfter)} tokens`;
    return { text: `Compacted: ${size}. The full history stays in the session.`, level: "info" };
  }
  if (aborted) return { text: "Compaction stopped; the session is unchanged.", level: "warning" };
  // Whoever asked for it is told by the command that failed.
  if (errorMessage === undefined || reason === "manual") return undefined;
  return { text: `Compaction failed: ${errorMessage}`, level: "error" };
}

const MAX_PATH_CHARACTERS = 200;

function restoredNotice({
  restored,
  removed,
  setAside,
  kept,
}: Extract<HarnessEvent, { type: "files_restored" }>): EventNotice {
  const line = (what: string, path: string) => `  ${what}: ${inertLine(path, MAX_PATH_CHARACTERS)}`;
  const lines = [
    ...restored.map((path) => line("put back", path)),
    ...removed.map((path) => line(setAside?.paths.includes(path) ? "moved away" : "taken away", path)),
    ...(setAside === undefined ? [] : [line("they may be yours, and lie in", setAside.directory)]),
    ...kept.map(({ path, reason }) => line(`left alone (${reason})`, path)),
  ];
  if (lines.length === 0) return { text: "No file had to be put back.", level: "info" };
  return { text: ["Files:", ...lines].join("\n"), level: kept.length === 0 ? "info" : "warning" };
}

/** A summary made ahead is told when it is there and when it came to nothing: it was paid for. */
function backgroundNotice({
  state,
  reason,
  usage,
}: Extract<HarnessEvent, { type: "background_compaction" }>): EventNotice | undefined {
  if (state === "started" || state === "used") return undefined;
  const cost = usage === undefined ? "" : ` It cost $${usage.cost.total.toFixed(4)}.`;
  if (state === "ready")
    return { text: `A summary is ready for when the context is full.${cost}`, level: "info" };
  const why = reason === undefined ? "" : `: ${withoutFullStop(reason)}`;
  const what = state === "dropped" ? "The prepared summary no longer fits" : "No summary could be prepared";
  return { text: `${what}${why}.${cost}`, level: state === "failed" ? "warning" : "info" };
}

/** What the working line says from this event on; undefined = nothing new, null = nothing works any more. */
export function workingLabel(event: AgentEvent | HarnessEvent): string | null | undefined {
  switch (event.type) {
    case "agent_start":
    case "auto_retry_end":
      return "Working";
    case "compaction_start":
      return "Compacting";
    case "compaction_end":
      return event.reason === "manual" ? null : "Working";
    case "auto_retry_start":
      return `Waiting to retry (${event.attempt} of ${event.maxAttempts})`;
    case "agent_settled":
      return null;
    default:
      return undefined;
  }
}
