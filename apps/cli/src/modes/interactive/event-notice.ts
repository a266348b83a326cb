import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";
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
