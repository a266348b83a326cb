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
export type * from "./session-contract.ts";
