import type { AgentMessage } from "@coppice/agent";
import type { SystemMessage, ThinkingLevel, Usage } from "@coppice/ai";
import type { AnyEntry, EntryMap, SessionEntry, SessionHeader } from "./entry.ts";

// The shapes that session.ts, context.ts, storage.ts and jsonl-repo.ts must have. Move each into its own file and
// delete this one; the names and signatures are used by the packages above.

/** context.ts */
export interface SessionContextState {
  readonly thinkingLevel: ThinkingLevel | undefined;
  readonly model: { readonly provider: string; readonly modelId: string } | undefined;
  readonly activeToolNames: readonly string[] | undefined;
  /** All system messages of the path folded into one: sections and tools in force. */
  readonly systemMessage: SystemMessage | undefined;
}
/** One entry of the projection with the messages it became. */
export interface ContextEntry {
  readonly entry: AnyEntry;
  readonly messages: readonly AgentMessage[];
}
export interface SessionContext extends SessionContextState {
  /** Oldest first; no system messages. */
  readonly messages: readonly AgentMessage[];
  readonly entries: readonly ContextEntry[];
  /** Gaps, unknown boundaries and the like met on the way. */
  readonly diagnostics: readonly string[];
}

/** session.ts: class Session. Every append resolves with the new entry's id once the storage has it; order = call order. */
export interface SessionShape {
  readonly header: SessionHeader;
  readonly id: string;
  readonly cwd: string;
  /** File path, for stores that have one. */
  readonly path: string | undefined;
  appendMessage(message: AgentMessage): Promise<string>;
  appendCompaction(fields: EntryMap["compaction"]): Promise<string>;
  appendBranchSummary(fields: EntryMap["branch_summary"]): Promise<string>;
  appendCustomEntry(customType: string, data?: unknown): Promise<string>;
  appendCustomMessageEntry(fields: EntryMap["custom_message"]): Promise<string>;
  appendModelChange(provider: string, modelId: string): Promise<string>;
  appendThinkingLevelChange(level: ThinkingLevel): Promise<string>;
  appendActiveToolsChange(names: readonly string[]): Promise<string>;
  appendUsage(fields: EntryMap["usage"]): Promise<string>;
  appendContextEdit(targetId: string, replacement: EntryMap["context_edit"]["replacement"]): Promise<string>;
  appendLabel(targetId: string, label: string | undefined): Promise<string>;
  appendSessionName(name: string | undefined): Promise<string>;
  /** Several entries in one write, in order; used by the harness's pending writes. */
  appendBatch(drafts: readonly EntryDraft[]): Promise<readonly string[]>;
  getLeafId(): string | null;
  getEntry(id: string): Promise<AnyEntry | undefined>;
  /** Root → `fromId` (default: the position). */
  getBranch(fromId?: string | null): Promise<readonly AnyEntry[]>;
  getEntries(): Promise<readonly AnyEntry[]>;
  getChildren(id: string | null): Promise<readonly AnyEntry[]>;
  getTree(): Promise<readonly SessionTreeNode[]>;
  getLabel(id: string): Promise<string | undefined>;
  getName(): Promise<string | undefined>;
  moveTo(entryId: string | null): Promise<void>;
  /** Moves to `entryId` and appends a branch_summary under it with `fromId` = the old position (or "root"). */
  branchWithSummary(
    entryId: string | null,
    fields: { summary: string; details?: unknown; usage?: Usage; fromHook?: boolean },
  ): Promise<string>;
  buildContext(): Promise<SessionContext>;
  /** fdatasync (or the store's equivalent), for `fsync: savepoint`. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
/** An entry without id, parent and timestamp; the session supplies them. */
export type EntryDraft = { [K in keyof EntryMap]: { readonly type: K } & EntryMap[K] }[keyof EntryMap];
export interface SessionTreeNode {
  readonly entry: AnyEntry;
  readonly label: string | undefined;
  readonly children: readonly SessionTreeNode[];
}

/** storage.ts: interfaces SessionStorage (one session's entries) and SessionRepo. */
export interface SessionSummary {
  readonly id: string;
  readonly path: string | undefined;
  readonly cwd: string;
  readonly name: string | undefined;
  readonly firstPrompt: string | undefined;
  /** ISO 8601 of the newest user or assistant message, else of the header. */
  readonly lastMessageAt: string;
  readonly messageCount: number;
  readonly sizeBytes: number;
  readonly parentSession: string | undefined;
}
export interface SessionRepoShape {
  /** Nothing is written until the first append. */
  create(options: { cwd: string; id?: string; parentSession?: string }): Promise<SessionShape>;
  /** By path, id or unique id prefix. `readOnly` takes no lock and writes nothing. */
  open(ref: string, options?: { readOnly?: boolean }): Promise<SessionShape>;
  list(options?: {
    cwd?: string;
  }): AsyncIterable<SessionSummary | { readonly diagnostic: string; readonly path: string }>;
  delete(ref: string): Promise<void>;
  /** Copies the path to `entryId` (default: the position) into a new session. */
  fork(source: SessionShape, options?: { entryId?: string | null; cwd?: string }): Promise<SessionShape>;
}
// new JsonlRepo({ directory, now?, newId?, fsync? }) and new MemoryRepo({ now?, newId? }) implement it.
export type AnySessionEntry = SessionEntry;
