import type { AgentMessage } from "@coppice/agent";
import type { ImageContent, SystemMessage, TextContent, ThinkingLevel, Usage } from "@coppice/ai";

/** Version of the format that writers write. Readers also take 1 and 2, and later ones with a diagnostic. */
export const SESSION_VERSION = 3;

/** Line 1 of a session file. Unknown fields are kept. */
export interface SessionHeader {
  readonly type: "session";
  readonly version: number;
  readonly id: string;
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
  readonly cwd: string;
  /** Absolute path (or id, for stores without files) of the session this one was forked from. */
  readonly parentSession?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What every entry has. `parentId` null = a root. */
export interface EntryBase {
  readonly id: string;
  readonly parentId: string | null;
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
}

/** Files that a summary vouches for, sorted, relative to cwd where inside it. */
export interface FileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/** What continuing needs from before a compaction, so that nothing older has to be read. */
export interface Checkpoint {
  readonly files?: FileLists;
  readonly pins?: readonly unknown[];
  /** Entries that the model had called back and that were not pinned since. */
  readonly recalledIds?: readonly string[];
  readonly model?: { readonly provider: string; readonly modelId: string };
  readonly thinkingLevel?: ThinkingLevel;
  readonly activeToolNames?: readonly string[];
  readonly sessionName?: string;
  /** How many `context_edit` entries right before the compaction belong to it: they go with it when it is undone. */
  readonly ownEdits?: number;
}

/** One row per entry kind: its own fields. Which kinds reach the model and which move the position: `ENTRY_RULES`. */
export interface EntryMap {
  message: { readonly message: AgentMessage };
  compaction: {
    readonly summary: string;
    /** First entry kept verbatim; the entry's own id = keep nothing. */
    readonly firstKeptEntryId: string;
    /** Size of the context before, in tokens. */
    readonly tokensBefore: number;
    readonly details?: unknown;
    readonly usage?: Usage;
    readonly fromHook?: boolean;
    /** Read where others wrote it; it replaces the kept range. The JSONL writer never writes it. */
    readonly retainedTail?: readonly AgentMessage[];
    readonly systemMessage?: SystemMessage;
    readonly checkpoint?: Checkpoint;
  };
  branch_summary: {
    /** Where the left branch ended; `"root"` when there was nothing. */
    readonly fromId: string;
    readonly summary: string;
    readonly details?: unknown;
    readonly usage?: Usage;
    readonly fromHook?: boolean;
  };
  custom_message: {
    readonly customType: string;
    readonly content: string | readonly (TextContent | ImageContent)[];
    readonly display: boolean;
    readonly details?: unknown;
  };
  custom: { readonly customType: string; readonly data?: unknown };
  context_edit: {
    readonly targetId: string;
    /** null hides the target; on a compaction, null undoes it. */
    readonly replacement: null | { readonly content: string | readonly (TextContent | ImageContent)[] };
  };
  /** Moves the position to `targetId` (null = before the first entry). */
  leaf: { readonly targetId: string | null };
  model_change: { readonly provider: string; readonly modelId: string };
  thinking_level_change: { readonly thinkingLevel: ThinkingLevel };
  active_tools_change: { readonly activeToolNames: readonly string[] };
  usage: {
    readonly kind: string;
    readonly provider: string;
    readonly model: string;
    readonly usage: Usage;
  };
  label: { readonly targetId: string; readonly label?: string };
  session_info: { readonly name?: string };
}

export type EntryType = keyof EntryMap;

/** An entry of one kind, or of any known kind. */
export type SessionEntry<Type extends EntryType = EntryType> = {
  [K in EntryType]: Readonly<{ type: K } & EntryBase> & EntryMap[K];
}[Type];

/** An entry of a kind this version does not know: kept byte for byte, part of the chain, no context. */
export type UnknownEntry = EntryBase & { readonly type: string } & Readonly<Record<string, unknown>>;

export type AnyEntry = SessionEntry | UnknownEntry;

export interface EntryRule {
  /** Whether the kind contributes to what the model sees. */
  readonly reachesModel: boolean;
  /**
   * `self`: the entry becomes the position. `target`: its `targetId` does. `never`: the position stays.
   * `if_current`: it moves to itself only when its parent is the position (or metadata that hangs on it).
   */
  readonly moves: "self" | "target" | "never" | "if_current";
}

export const ENTRY_RULES: Readonly<Record<EntryType, EntryRule>> = {
  message: { reachesModel: true, moves: "self" },
  compaction: { reachesModel: true, moves: "self" },
  branch_summary: { reachesModel: true, moves: "self" },
  custom_message: { reachesModel: true, moves: "self" },
  custom: { reachesModel: false, moves: "self" },
  context_edit: { reachesModel: false, moves: "self" },
  leaf: { reachesModel: false, moves: "target" },
  model_change: { reachesModel: false, moves: "if_current" },
  thinking_level_change: { reachesModel: false, moves: "if_current" },
  active_tools_change: { reachesModel: false, moves: "if_current" },
  usage: { reachesModel: false, moves: "never" },
  label: { reachesModel: false, moves: "never" },
  session_info: { reachesModel: false, moves: "never" },
};

/** True for an entry of the given kind. */
export function isEntry<Type extends EntryType>(entry: AnyEntry, type: Type): entry is SessionEntry<Type> {
  return entry.type === type;
}
