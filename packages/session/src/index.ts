// Sessions and where they are kept

export type { EntryDraft } from "./entry-stage.ts";
export { JsonlRepo, type JsonlRepoOptions } from "./jsonl-repo.ts";
export { MemoryRepo, type MemoryRepoOptions } from "./memory-repo.ts";
export type {
  CreateOptions,
  ChangeLine,
  ExportOptions,
  ForkOptions,
  FoundDamage,
  ImportOptions,
  ListDiagnostic,
  ListItem,
  OpenOptions,
  SessionRepo,
  SessionSummary,
} from "./repo.ts";
export { type BuildIndexOptions, Session, type SessionOptions } from "./session.ts";
export { type SessionStore, StoreRepo, type StoreRepoOptions } from "./store-repo.ts";
export type { LinkedEntry, SessionTreeNode } from "./tree.ts";

// Entries

export {
  type AnyEntry,
  type Checkpoint,
  ENTRY_RULES,
  type EntryBase,
  type EntryMap,
  type EntryRule,
  type EntryType,
  type FileLists,
  isEntry,
  SESSION_VERSION,
  type SessionEntry,
  type SessionHeader,
  type UnknownEntry,
} from "./entry.ts";

export { defineEntry, type EntryDefinition, projectorsOf } from "./define-entry.ts";

// From a branch to what the model sees

export {
  activeCompaction,
  type BuildContextOptions,
  buildContext,
  buildContextEntries,
  type ContextEntry,
  type ContextEntryTransform,
  defaultContextEntryTransform,
  latestEdits,
  ownEdits,
  type SessionContext,
} from "./context.ts";
export { deriveSessionContextState, type SessionContextState } from "./context-state.ts";
export {
  type EditReplacement,
  type EntryProjector,
  type EntryProjectors,
  sessionEntryToContextMessages,
} from "./entry-messages.ts";
export { foldSystemMessages } from "./system-message.ts";

// Copies of one session

export { mergeSessions, type SessionCopy } from "./merge-sessions.ts";
export { mergeSessionFiles } from "./transfer.ts";

// Stores

export type { UnreadableLine } from "./codec.ts";
export { type FsyncPolicy, JsonlStorage, type JsonlStorageOptions } from "./jsonl-storage.ts";
export type { LockOptions, LockOwner } from "./lock.ts";
export { MemoryStorage } from "./memory-storage.ts";
export { nodeSessionFiles } from "./node-session-files.ts";
export { nodeProcessInfo, type ProcessInfo } from "./process-info.ts";
export type { FileStat, OpenMode, SessionFile, SessionFiles } from "./session-files.ts";
export type { PageRange, SessionStorage, StoredItem, StoredPage } from "./storage.ts";

// Finding, mending, failures

export type { FilePlace, SessionDiagnostic } from "./diagnostic.ts";
export { examineSession, repairSession, type SessionReport } from "./doctor.ts";
export { entryText } from "./entry-text.ts";
export { isSessionError, SESSION_ERRORS, SessionError, type SessionErrorCode } from "./errors.ts";
export type { SearchMatch, SearchOptions } from "./search.ts";
