import { agentHooks, defineHooks, hook } from "@coppice/agent";
import type { ImageContent, Model } from "@coppice/ai";
import type { BranchSummaryResult, CompactionPreparation } from "@coppice/compaction";
import type { AnyEntry, SessionEntry } from "@coppice/session";
import type { CompactionReason } from "./events.ts";
import type { SuppliedCompaction } from "./supplied-compaction.ts";

export interface BeforeCompact {
  readonly reason: CompactionReason;
  readonly preparation: CompactionPreparation;
  /** Root → position. */
  readonly path: readonly AnyEntry[];
  readonly instructions: string | undefined;
}

/** `cancel` leaves the session as it is; `compaction` is stored instead of a model's summary. */
export interface BeforeCompactAnswer {
  readonly cancel?: boolean;
  readonly compaction?: SuppliedCompaction;
}

export interface Compacted {
  readonly reason: CompactionReason;
  readonly entry: SessionEntry<"compaction">;
  readonly fromHook: boolean;
}

export interface CompactionFailure {
  readonly reason: CompactionReason;
  readonly aborted: boolean;
  readonly errorMessage: string;
}

export interface BeforeTree {
  readonly targetId: string | null;
  readonly oldLeafId: string | null;
  /** What a branch summary would cover, oldest first. */
  readonly entriesToSummarize: readonly AnyEntry[];
  readonly summarize: boolean;
  readonly instructions: string | undefined;
}

/** `cancel` stays where it is; `summary` is stored instead of a model's. */
export interface BeforeTreeAnswer {
  readonly cancel?: boolean;
  readonly summary?: Pick<BranchSummaryResult, "summary"> & Partial<BranchSummaryResult>;
}

export interface TreeMoved {
  readonly oldLeafId: string | null;
  readonly newLeafId: string | null;
  readonly summaryEntryId: string | undefined;
}

export interface UserInput {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

export interface SessionMoment {
  readonly sessionId: string;
  readonly cwd: string;
}

export interface SessionShutdown extends SessionMoment {
  /** Id of the session that goes on instead. */
  readonly replacedBy?: string;
}

/** Every hook of a coding agent: those of a run, and those of the session around it. */
export const codingAgentHooks = defineHooks({
  ...agentHooks,
  session_before_compact: hook<BeforeCompact, BeforeCompactAnswer, "first">("first"),
  session_compact: hook<Compacted, void, "observe">("observe"),
  session_compact_failed: hook<CompactionFailure, void, "observe">("observe"),
  session_before_tree: hook<BeforeTree, BeforeTreeAnswer, "first">("first"),
  session_tree: hook<TreeMoved, void, "observe">("observe"),
  /** The agent is ready. Nothing has been written. */
  session_start: hook<SessionMoment, void, "observe">("observe"),
  /** The agent ends; `replacedBy` where another one goes on in its place, which is ready by then. */
  session_shutdown: hook<SessionShutdown, void, "observe">("observe"),
  /** What the user sent or queued, once each, before anything else sees it; may transform. */
  input: hook<UserInput, Partial<UserInput>, "patch">("patch"),
  model_select: hook<{ readonly model: Model; readonly previous: Model }, void, "observe">("observe"),
});

export type CodingAgentHooks = typeof codingAgentHooks;
