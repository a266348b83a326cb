import type { AgentEvent, AgentMessage, AnyAgentTool } from "@coppice/agent";
import type { ImageContent, Model, StreamFunction, ThinkingLevel, Usage } from "@coppice/ai";
import type { CompactionResult, CompactionSettings } from "@coppice/compaction";
import type { SessionContext, SessionShape } from "@coppice/session";
import type { Environment } from "./env/environment.ts";

// The shapes that agent-harness.ts and create-coding-agent.ts must have. Move each into its own file and delete this one.

/** Events of the harness: those of the agent plus these (declare once as a map in events.ts). */
export interface HarnessEventMap {
  compaction_start: { readonly reason: "manual" | "threshold" | "overflow" };
  compaction_end: {
    readonly reason: "manual" | "threshold" | "overflow";
    readonly result: CompactionResult | undefined;
    readonly aborted: boolean;
    readonly errorMessage?: string;
  };
  auto_retry_start: {
    readonly attempt: number;
    readonly maxAttempts: number;
    readonly delayMs: number;
    readonly errorMessage: string;
  };
  auto_retry_end: { readonly success: boolean; readonly attempt: number; readonly finalError?: string };
  queue_update: { readonly steering: readonly AgentMessage[]; readonly followUp: readonly AgentMessage[] };
  /** An entry is on disk. */
  entry_appended: { readonly entryId: string; readonly entryType: string };
  session_moved: { readonly leafId: string | null };
  model_select: { readonly model: Model };
  thinking_level_select: { readonly thinkingLevel: ThinkingLevel };
  /** Something went wrong beside the run: a failed flush, a hook that threw. */
  diagnostic: { readonly level: "warning" | "error"; readonly message: string };
}

export interface ContextUsage {
  readonly tokens: number;
  readonly isEstimate: boolean;
  readonly contextWindow: number;
  /** Tokens at which automatic compaction starts. */
  readonly triggerTokens: number;
  /** Tokens by source; the parts sum to `tokens`. */
  readonly parts: {
    readonly system: number;
    readonly tools: number;
    readonly contextFiles: number;
    readonly summary: number;
    readonly messages: number;
  };
}

export interface SessionStats {
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly toolCalls: number;
  readonly compactions: number;
  readonly usage: Usage;
}

export interface CreateCodingAgentOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly model: Model;
  readonly streamFunction: StreamFunction;
  /** Default: a new session in memory. */
  readonly session?: SessionShape;
  /** Default: the local machine. */
  readonly environment?: Environment;
  readonly thinkingLevel?: ThinkingLevel;
  /** Default: the seven built-in tools. */
  readonly tools?: readonly AnyAgentTool[];
  readonly activeToolNames?: readonly string[];
  /** Replaces the preamble section. */
  readonly preamble?: string;
  readonly appendSystemPrompt?: string;
  /** Where the user's own AGENTS.md lies; absent = none is read. */
  readonly userDirectory?: string;
  readonly compaction?: Partial<CompactionSettings>;
  readonly flushPolicy?: "message" | "turn";
  readonly now?: () => number;
}

/** agent-harness.ts: class AgentHarness. */
export interface AgentHarnessShape {
  readonly session: SessionShape;
  readonly model: Model;
  readonly thinkingLevel: ThinkingLevel;
  readonly isBusy: boolean;
  /** Resolves when the run, its retries and compactions are over. Rejects with CodingAgentError `agent_busy` when busy. */
  prompt(text: string, options?: { readonly images?: readonly ImageContent[] }): Promise<void>;
  /** While a run works: before the next request. Idle: the same as prompt. */
  steer(text: string, options?: { readonly images?: readonly ImageContent[] }): void;
  followUp(text: string, options?: { readonly images?: readonly ImageContent[] }): void;
  /** Takes queued messages back, oldest first. */
  clearQueue(): readonly AgentMessage[];
  /** Stops the run; resolves when idle. Queued messages stay queued. */
  abort(): Promise<void>;
  compact(options?: { readonly instructions?: string }): Promise<CompactionResult>;
  /** Moves in the tree. A user message: to its parent, handing the text back as `editorText`. */
  navigate(
    entryId: string | null,
    options?: { readonly summarize?: boolean; readonly instructions?: string },
  ): Promise<{ readonly editorText: string | undefined; readonly summaryEntryId: string | undefined }>;
  setModel(model: Model): Promise<void>;
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
  setActiveTools(names: readonly string[]): Promise<void>;
  getContextUsage(): Promise<ContextUsage>;
  getStats(): Promise<SessionStats>;
  getContext(): Promise<SessionContext>;
  subscribe(listener: (event: AgentEvent | HarnessEvent) => void | Promise<void>): () => void;
  waitForIdle(): Promise<void>;
  /** Flushes, releases the session's lock. */
  dispose(): Promise<void>;
}
export type HarnessEvent = {
  [K in keyof HarnessEventMap]: Readonly<{ type: K } & HarnessEventMap[K]>;
}[keyof HarnessEventMap];
// createCodingAgent(options: CreateCodingAgentOptions): Promise<AgentHarnessShape>
