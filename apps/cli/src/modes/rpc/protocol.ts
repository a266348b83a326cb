import type { AgentMessage } from "@coppice/agent";
import { type Model, THINKING_LEVELS, type ThinkingLevel } from "@coppice/ai";
import {
  type BringResult,
  type CompactionDraft,
  type CompactionOutlook,
  type ContextInspection,
  type ContextUsage,
  type HistoryStep,
  type LoginStep,
  type McpServerStatus,
  type NavigateResult,
  PERMISSION_MODES,
  type PermissionMode,
  type RecallResult,
  type RedactedFile,
  type RequestPreview,
  type RestoredFile,
  type RestoreOutcome,
  type SessionStats,
} from "@coppice/coding-agent";
import type { CompactionResult, Pin } from "@coppice/compaction";
import type { AnyEntry, SessionSummary } from "@coppice/session";
import type { ExportedFile } from "../../export/export-to-file.ts";
import type { LoginProvider } from "../../login-providers.ts";
import type { runUserCommand } from "../../user-command.ts";
import {
  answer,
  anything,
  type Fields,
  flag,
  images,
  oneOf,
  optional,
  type ParamsOf,
  text,
  textOrNull,
  texts,
  wholeNumber,
} from "./fields.ts";

/** Grows when a client of before would misunderstand. New commands, parameters, fields and events do not count. */
export const RPC_PROTOCOL = 1;

/** One command of the protocol. */
interface CommandRow<All extends Fields, Result> {
  readonly fields: All;
  /** Commands that come after it do not wait for its end. */
  readonly isLong: boolean;
  /** Is not kept back by the commands before it, which may be waiting for it. */
  readonly isAtOnce: boolean;
  /** Never there; carries the type. */
  readonly result?: Result;
}

/** How things stand. */
export interface RpcState {
  readonly sessionId: string;
  /** Absent for a session in memory. */
  readonly sessionPath?: string;
  readonly sessionName?: string;
  readonly cwd: string;
  readonly leafId: string | null;
  /** `provider/model`. */
  readonly model: string;
  readonly thinkingLevel: ThinkingLevel;
  readonly tools: { readonly all: readonly string[]; readonly active: readonly string[] };
  readonly isBusy: boolean;
  readonly permissionMode: PermissionMode;
}

/** The session that goes on. */
export interface RpcMoved extends RpcState {
  /** Messages that were queued in the session that was left, and are not sent. */
  readonly queued?: readonly AgentMessage[];
}

/** What the client's user has to do to log in. */
export type RpcLoginStep = { readonly type: "login_step"; readonly provider: string } & LoginStep;

interface Named {
  readonly name: string;
  readonly description: string;
}

/** What can be called: commands by `run_command`, templates as `/name`, skills as `/skill:name` in a prompt. */
export interface RpcCallable {
  readonly commands: readonly (Named & { readonly owner: string })[];
  readonly templates: readonly Named[];
  readonly skills: readonly Named[];
}

/** An entry in the tree, without what it holds. */
export interface RpcTreeEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly label?: string;
}

type Nothing = Readonly<Record<string, never>>;
type Pins = readonly Pin[];
type UserCommandResult = Awaited<ReturnType<typeof runUserCommand>>;
type Edited = { readonly editorText?: string };

const message = { message: text, images: optional(images) };

/** Every command: its parameters, checked as they stand here, and the `data` of its response. */
export const RPC_COMMANDS = {
  // Talking
  prompt: command<Nothing>()(message),
  steer: command<Nothing>()(message),
  follow_up: command<Nothing>()(message),
  abort: command<Nothing>()({}),
  clear_queue: command<{ readonly messages: readonly AgentMessage[] }>()({}),

  // The context
  compact: command<CompactionResult>({ isLong: true })({
    instructions: optional(text),
    draftId: optional(text),
    summary: optional(text),
  }),
  preview_compaction: command<CompactionOutlook>()({}),
  draft_compaction: command<CompactionDraft>({ isLong: true })({ instructions: optional(text) }),
  undo_compaction: command<HistoryStep>()({}),
  redo_compaction: command<HistoryStep>()({}),
  get_context_usage: command<ContextUsage>()({}),
  inspect_context: command<ContextInspection>()({}),
  preview_request: command<RequestPreview>()({ message: optional(text), images: optional(images) }),
  edit_context: command<Nothing>()({
    entryId: text,
    content: optional(textOrNull),
    edit: optional(oneOf(["hide", "shorten", "restore"])),
  }),
  get_messages: command<{ readonly messages: readonly AgentMessage[] }>()({}),
  pin: command<Pins[number]>()({ text }),
  unpin: command<Nothing>()({ pinId: text }),
  pins: command<{ readonly pins: Pins }>()({}),
  recall: command<RecallResult>()({
    handle: optional(text),
    query: optional(text),
    budgetTokens: optional(wholeNumber),
  }),
  bring_entries: command<BringResult>({ isLong: true })({
    entryIds: optional(texts),
    branchOf: optional(text),
    instructions: optional(text),
  }),

  // The tree
  navigate: command<NavigateResult>({ isLong: true })({
    entryId: textOrNull,
    summarize: optional(flag),
    instructions: optional(text),
    restoreFiles: optional(flag),
  }),
  preview_files: command<RestoreOutcome>()({ entryId: textOrNull }),
  restore_files: command<RestoreOutcome>()({ entryId: textOrNull }),
  get_tree: command<{ readonly leafId: string | null; readonly entries: readonly RpcTreeEntry[] }>()({}),
  get_entries: command<{ readonly leafId: string | null; readonly entries: readonly AnyEntry[] }>()({
    since: optional(text),
  }),
  label: command<Nothing>()({ entryId: text, label: optional(text) }),

  // Sessions
  get_state: command<RpcState>()({}),
  get_stats: command<SessionStats>()({}),
  set_session_name: command<Nothing>()({ name: text }),
  list_sessions: command<{ readonly sessions: readonly SessionSummary[] }>()({ all: optional(flag) }),
  export: command<ExportedFile>()({ file: optional(text), isRedacted: optional(flag) }),
  redact: command<{ readonly path: string } & RedactedFile>()({ file: optional(text) }),
  restore_secrets: command<{ readonly path: string } & RestoredFile>()({
    file: text,
    target: optional(text),
  }),
  new_session: command<RpcMoved>()({}),
  switch_session: command<RpcMoved>()({ session: text }),
  fork: command<RpcMoved & Edited>()({ entryId: optional(textOrNull) }),
  reload: command<RpcMoved & { readonly notices: readonly string[] }>()({}),

  // Choices
  get_models: command<{ readonly models: readonly (Model & { readonly isUsable: boolean })[] }>()({}),
  set_model: command<{ readonly model: string; readonly thinkingLevel: ThinkingLevel }>()({ model: text }),
  set_thinking_level: command<Nothing>()({ level: oneOf(THINKING_LEVELS) }),
  set_active_tools: command<Nothing>()({ names: texts }),
  set_permission_mode: command<Nothing>()({ mode: oneOf(PERMISSION_MODES) }),
  get_settings: command<{
    readonly settings: Readonly<Record<string, unknown>>;
    readonly isProjectTrusted: boolean;
  }>()({}),
  set_setting: command<{ readonly warning?: string }>()({ path: texts, value: optional(anything) }),
  get_logins: command<{ readonly logins: readonly LoginProvider[] }>()({}),
  login: command<Nothing>({ isLong: true })({
    provider: text,
    key: optional(text),
    way: optional(oneOf(["browser", "device"])),
  }),

  // The user's own
  bash: command<UserCommandResult>({ isLong: true })({ command: text, isPrivate: optional(flag) }),
  get_commands: command<RpcCallable>()({}),
  run_command: command<{ readonly said?: string }>({ isLong: true })({ name: text, args: optional(text) }),
  get_mcp_servers: command<{ readonly servers: readonly McpServerStatus[] }>()({}),
  restart_mcp_server: command<McpServerStatus>({ isLong: true })({ name: text }),
  answer_questions: command<Nothing>()({ enabled: flag }),
  answer_question: command<Nothing>({ isAtOnce: true })({ questionId: text, answer }),
} as const;

export type RpcCommandName = keyof typeof RPC_COMMANDS;

export type RpcParams<Name extends RpcCommandName> = ParamsOf<(typeof RPC_COMMANDS)[Name]["fields"]>;

export type RpcResult<Name extends RpcCommandName> = NonNullable<(typeof RPC_COMMANDS)[Name]["result"]>;

/** What a client sends: one line each. @public */
export type RpcCommand = {
  [Name in RpcCommandName]: {
    readonly type: Name;
    /** Comes back in the response. */
    readonly id?: string | number;
  } & RpcParams<Name>;
}[RpcCommandName];

/** Why a command did nothing. `code` is of the protocol or of the package that refused. */
export interface RpcFailure {
  readonly code: string;
  readonly message: string;
  readonly advice?: string;
}

/** The answer to one line, also to one that is no command; `id` and `command` as far as they could be read. */
export type RpcResponse = {
  readonly type: "response";
  readonly id?: string | number;
  readonly command?: string;
} & (
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: RpcFailure }
);

/** The first line: who speaks. */
export interface RpcReady {
  readonly type: "ready";
  readonly protocol: number;
  /** Absent where there is no agent yet. */
  readonly state?: RpcState;
  /**
   * Why there is no agent yet: no model can be used. Until `login` with `reload`, or `set_model`, have mended that, commands
   * that need an agent are refused with this.
   */
  readonly missing?: RpcFailure;
}

function command<Result>({
  isLong = false,
  isAtOnce = false,
}: {
  readonly isLong?: boolean;
  readonly isAtOnce?: boolean;
} = {}) {
  return <const All extends Fields>(fields: All): CommandRow<All, Result> => ({ fields, isLong, isAtOnce });
}
