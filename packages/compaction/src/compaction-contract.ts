import type { AgentMessage } from "@coppice/agent";
import type { AssistantMessage, ChatRequest, Model, ThinkingLevel, ToolSpec, Usage } from "@coppice/ai";
import type { AnyEntry, Checkpoint, FileLists } from "@coppice/session";

// The shapes that the files of this package must have. Move each into its own file and delete this one.

/** settings.ts; defaults in DEFAULT_COMPACTION_SETTINGS as in the design. */
export interface CompactionSettings {
  readonly enabled: boolean;
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
  readonly threshold?: number;
  readonly minTurnsToKeep: number;
  readonly maxMessages?: number;
  readonly maxSummaryTokens?: number;
  readonly summaryModel?: string;
  readonly preserveRecentFiles: number;
  readonly preserveSystemPrompt: boolean;
  readonly preserveTools: boolean;
  readonly branchSummary: { readonly maxSummaryTokens: number; readonly reserveTokens: number };
  readonly modelOverrides?: Readonly<Record<string, Partial<Omit<CompactionSettings, "modelOverrides">>>>;
}
/** estimate.ts: estimateTokens(message), estimateContextTokens(context). */
export interface TokenEstimator {
  estimateText(text: string): number;
}
export interface ContextSize {
  /** Size of the next request in tokens, system prompt and tools included. */
  readonly tokens: number;
  /** How much of it is reported by a provider (the rest is estimated). */
  readonly reportedTokens: number;
  readonly isEstimate: boolean;
}
export interface EstimateContextInput {
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
  /** Index of the first message after the latest compaction: usage before it says nothing about the present context. */
  readonly usageValidFrom?: number;
  readonly estimator?: TokenEstimator;
}
/** should-compact.ts: shouldCompact({ contextTokens, contextWindow, settings, messagesSinceCompaction? }): boolean */
/** cut-point.ts: findCutPoint(...) */
export interface CutPoint {
  readonly firstKeptEntryId: string;
  readonly cutIndex: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly isSplitTurn: boolean;
}
/** prepare-compaction.ts: prepareCompaction(input): CompactionPreparation | undefined (undefined = nothing to cut) */
export interface PrepareCompactionInput {
  /** Root → position. */
  readonly path: readonly AnyEntry[];
  readonly contextWindow: number;
  readonly settings: CompactionSettings;
  readonly tokensBefore: number;
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
  readonly estimator?: TokenEstimator;
}
export interface CompactionPreparation {
  readonly firstKeptEntryId: string;
  readonly messagesToSummarize: readonly AgentMessage[];
  readonly turnPrefixMessages: readonly AgentMessage[];
  readonly retainedTail: readonly AgentMessage[];
  readonly isSplitTurn: boolean;
  readonly tokensBefore: number;
  readonly tokensAfterEstimate: number;
  readonly previousSummary: string | undefined;
  readonly fileOps: FileLists;
  /** Oversized kept tool results: entry id → shortened text, to be written as context_edit entries. */
  readonly shortenings: readonly { readonly targetId: string; readonly text: string }[];
  readonly checkpoint: Checkpoint;
  readonly settings: CompactionSettings;
}
/** compact.ts: compact(preparation, options): Promise<CompactionResult>; throws CompactionError, never stores. */
export interface SummaryCallOptions {
  readonly complete: (request: ChatRequest) => Promise<AssistantMessage>;
  readonly model: Model;
  readonly thinkingLevel?: ThinkingLevel;
  readonly customInstructions?: string;
  readonly signal?: AbortSignal;
}
export interface CompactionResult {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly retainedTail: readonly AgentMessage[];
  readonly details: FileLists;
  readonly usage: Usage | undefined;
  readonly shortenings: CompactionPreparation["shortenings"];
  readonly checkpoint: Checkpoint;
  /** True when no model wrote it: the deterministic extract. */
  readonly isExtract: boolean;
}
/** branch-summarization.ts: collectEntriesForBranchSummary({ oldBranch, newBranch }) and generateBranchSummary(...) */
export interface BranchSummaryResult {
  readonly summary: string;
  readonly details: FileLists;
  readonly usage: Usage | undefined;
}
