import type { AgentMessage } from "@coppice/agent";
import { type Model, THINKING_LEVELS, type ThinkingLevel } from "@coppice/ai";
import type { AgentHarness, ContextInspection, ContextUsage, SessionStats } from "@coppice/coding-agent";
import type { AnyEntry } from "@coppice/session";
import {
  type Fields,
  flag,
  images,
  oneOf,
  optional,
  type ParamsOf,
  text,
  textOrNull,
  texts,
} from "./fields.ts";

/** Grows when a client of before would misunderstand. New commands, parameters, fields and events do not count. */
export const RPC_PROTOCOL = 1;

/** One command of the protocol. */
interface CommandRow<All extends Fields, Result> {
  readonly fields: All;
  /** Commands that come after it do not wait for its end. */
  readonly isLong: boolean;
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
  readonly tools: AgentHarness["tools"];
  readonly isBusy: boolean;
}

/** An entry in the tree, without what it holds. */
export interface RpcTreeEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly label?: string;
}

type Nothing = Readonly<Record<string, never>>;
type Pins = Awaited<ReturnType<AgentHarness["pins"]>>;
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
  compact: command<Awaited<ReturnType<AgentHarness["compact"]>>>({ isLong: true })({
    instructions: optional(text),
  }),
  get_context_usage: command<ContextUsage>()({}),
  inspect_context: command<ContextInspection>()({}),
  get_messages: command<{ readonly messages: readonly AgentMessage[] }>()({}),
  pin: command<Pins[number]>()({ text }),
  unpin: command<Nothing>()({ pinId: text }),
  pins: command<{ readonly pins: Pins }>()({}),

  // The tree
  navigate: command<Edited & { readonly summaryEntryId?: string }>({ isLong: true })({
    entryId: textOrNull,
    summarize: optional(flag),
    instructions: optional(text),
  }),
  get_tree: command<{ readonly leafId: string | null; readonly entries: readonly RpcTreeEntry[] }>()({}),
  get_entries: command<{ readonly leafId: string | null; readonly entries: readonly AnyEntry[] }>()({
    since: optional(text),
  }),
  label: command<Nothing>()({ entryId: text, label: optional(text) }),

  // Sessions
  get_state: command<RpcState>()({}),
  get_stats: command<SessionStats>()({}),
  set_session_name: command<Nothing>()({ name: text }),
  new_session: command<RpcState>()({}),
  switch_session: command<RpcState>()({ session: text }),
  fork: command<RpcState & Edited>()({ entryId: optional(textOrNull) }),

  // Choices
  get_models: command<{ readonly models: readonly (Model & { readonly isUsable: boolean })[] }>()({}),
  set_model: command<{ readonly model: string; readonly thinkingLevel: ThinkingLevel }>()({ model: text }),
  set_thinking_level: command<Nothing>()({ level: oneOf(THINKING_LEVELS) }),
  set_active_tools: command<Nothing>()({ names: texts }),
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
  readonly state: RpcState;
}

function command<Result>({ isLong = false }: { readonly isLong?: boolean } = {}) {
  return <const All extends Fields>(fields: All): CommandRow<All, Result> => ({ fields, isLong });
}
