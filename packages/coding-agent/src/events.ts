import type { AgentEvent, AgentMessage } from "@coppice/agent";
import type { EventOf, Model, ThinkingLevel, Usage } from "@coppice/ai";
import type { CompactionResult, Pin } from "@coppice/compaction";
import type { HistoryStep } from "./memory/compaction-history.ts";
import type { RestoreOutcome } from "./rewind/restore-files.ts";

/** Why a compaction runs: asked for, the context passed its trigger, or a provider refused its size. */
export type CompactionReason = "manual" | "threshold" | "overflow";

/** One row per event of the harness beyond those of the agent: key = `type`, value = payload. */
export interface HarnessEventMap {
  compaction_start: { readonly reason: CompactionReason };
  compaction_end: {
    readonly reason: CompactionReason;
    readonly result: CompactionResult | undefined;
    readonly aborted: boolean;
    readonly errorMessage?: string;
  };
  /** A summary made ahead of the trigger: what became of it, why, and what it cost. */
  background_compaction: {
    readonly state: "started" | "ready" | "used" | "dropped" | "failed";
    readonly reason?: string;
    /** Of all its calls; recorded in the session's totals already. */
    readonly usage?: Usage;
  };
  /** Old tool results are shown shorter from now on, so that no summary was needed yet. */
  context_masked: {
    readonly entries: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  };
  auto_retry_start: {
    readonly attempt: number;
    readonly maxAttempts: number;
    readonly delayMs: number;
    readonly errorMessage: string;
  };
  auto_retry_end: { readonly success: boolean; readonly attempt: number; readonly finalError?: string };
  /** A compaction (`unmasked`: 0), or the masks set since, was taken back; the size of the next request since. */
  compaction_undone: HistoryStep;
  /** A compaction was brought back under the id given; the size of the next request since. */
  compaction_redone: HistoryStep;
  /** Entries of another branch stand here now, in this entry. */
  entries_brought: { readonly entryId: string };
  /** Pins that made themselves: rules that the user stated, entries that were recalled twice. */
  pins_detected: { readonly pins: readonly Pin[] };
  /** What is queued now, oldest first. */
  queue_update: { readonly steering: readonly AgentMessage[]; readonly followUp: readonly AgentMessage[] };
  /** An entry is on disk. */
  entry_appended: { readonly entryId: string; readonly entryType: string };
  session_moved: { readonly leafId: string | null };
  /** Files were put back to an earlier state. */
  files_restored: RestoreOutcome;
  model_select: { readonly model: Model };
  thinking_level_select: { readonly thinkingLevel: ThinkingLevel };
  /**
   * Something went wrong beside the run: a failed flush, a hook that threw. With `code` it is why the answer that failed
   * with this code was not asked for again.
   */
  diagnostic: {
    readonly level: "warning" | "error";
    readonly message: string;
    readonly code?: "context_overflow";
  };
}

export type HarnessEvent = EventOf<HarnessEventMap>;

/** Hears every event of the agent and the harness; awaited, in order of subscription. */
export type HarnessListener = (event: AgentEvent | HarnessEvent) => void | Promise<void>;
