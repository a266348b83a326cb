// Sessions

// Context
export {
  activeCompaction,
  type BuildContextOptions,
  buildContext,
  buildContextEntries,
  type ContextEntry,
  type ContextEntryTransform,
  defaultContextEntryTransform,
  type SessionContext,
} from "./context.ts";
export { deriveSessionContextState, type SessionContextState } from "./context-state.ts";
// Finding and mending
export { examineSession, repairSession, type SessionReport } from "./doctor.ts";
export { entryText } from "./entry-text.ts";
export type { SearchMatch, SearchOptions } from "./search.ts";
// Failures
export type { FilePlace, SessionDiagnostic } from "./diagnostic.ts";
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
export type { EntryProjector, EntryProjectors } from "./entry-messages.ts";
export { sessionEntryToContextMessages } from "./entry-messages.ts";
export type { EntryDraft } from "./entry-stage.ts";
export { isSessionError, SESSION_ERRORS, SessionError, type SessionErrorCode } from "./errors.ts";
export { JsonlRepo, type JsonlRepoOptions } from "./jsonl-repo.ts";
// Stores
export { type FsyncPolicy, JsonlStorage, type JsonlStorageOptions } from "./jsonl-storage.ts";
export { MemoryRepo, type MemoryRepoOptions } from "./memory-repo.ts";
export { MemoryStorage } from "./memory-storage.ts";
export { nodeSessionFiles } from "./node-session-files.ts";
export { nodeProcessInfo, type ProcessInfo } from "./process-info.ts";
export type {
  CreateOptions,
  ForkOptions,
  ListDiagnostic,
  ListItem,
  OpenOptions,
  SessionRepo,
  SessionSummary,
} from "./repo.ts";
export { Session, type SessionOptions } from "./session.ts";
export type { SessionRepoShape, SessionShape } from "./session-contract.ts";
export type { FileStat, OpenMode, SessionFile, SessionFiles } from "./session-files.ts";
export type { SessionStorage, StoredItem, StoredPage } from "./storage.ts";
export { foldSystemMessages } from "./system-message.ts";
export type { SessionTreeNode } from "./tree.ts";
