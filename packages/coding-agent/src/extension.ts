import type { AgentMessage, AnyAgentTool, HookHandler } from "@coppice/agent";
import type { Model, Provider, ThinkingLevel, Usage } from "@coppice/ai";
import type { CompactionPreparation, CompactionResult, CompactionStrategy } from "@coppice/compaction";
import type { EntryProjector, Session, SessionRepo } from "@coppice/session";
import type { Environment } from "./env/environment.ts";
import type { CompactionReason } from "./events.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import type { LifecycleEvent, LifecycleEventType } from "./lifecycle-events.ts";

/** What a compaction would work on, for `Extension.onCompaction`. */
export interface CompactionContext {
  readonly reason: CompactionReason;
  /** The whole context, oldest first. */
  readonly messages: readonly AgentMessage[];
  readonly preparation: CompactionPreparation;
  readonly instructions: string | undefined;
}

/** An extension's compaction. `keptMessages` are messages of the context, the same objects, in any order. */
export interface CompactionAnswer {
  readonly summary: string;
  readonly keptMessages: readonly AgentMessage[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly usage?: Usage;
}

/** The agent as commands see it; an `AgentHarness` is one. */
export interface CommandAgent {
  readonly session: Session;
  readonly model: Model;
  readonly isBusy: boolean;
  prompt(text: string): Promise<void>;
  steer(text: string): void;
  followUp(text: string): void;
  abort(): Promise<void>;
  compact(options?: { readonly instructions?: string }): Promise<CompactionResult>;
  setModel(model: Model): Promise<void>;
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
  setActiveTools(names: readonly string[]): Promise<void>;
  waitForIdle(): Promise<void>;
}

/** `args` is what the user typed behind the name, trimmed. A text that is returned is shown to the user. */
export type CommandHandler = (
  args: string,
  agent: CommandAgent,
) => string | undefined | Promise<string | undefined> | void | Promise<void>;

/** A command that the user calls as `/name`. */
export interface ExtensionCommand {
  readonly description: string;
  readonly argumentHint?: string;
  readonly handler: CommandHandler;
}

/** Asks the user. Where nobody can be asked, or once the extension is unloaded, every dialog is dismissed. */
export interface ExtensionUi {
  /** False also when dismissed. */
  confirm(title: string, options?: DialogOptions & { readonly message?: string }): Promise<boolean>;
  /** One of `choices`; undefined when dismissed. */
  select(title: string, choices: readonly string[], options?: DialogOptions): Promise<string | undefined>;
  /** Undefined when dismissed. */
  input(
    title: string,
    options?: DialogOptions & { readonly placeholder?: string },
  ): Promise<string | undefined>;
}

export interface DialogOptions {
  /** Closes the dialog. */
  readonly signal?: AbortSignal;
}

/**
 * What an extension may register, while it is set up and later; it counts from the next request. All of it is owned by the
 * extension and goes with it. Once the extension is unloaded every method throws `extension_unloaded`.
 */
export interface ExtensionApi {
  /** Absolute. */
  readonly cwd: string;
  /** Where the agent works: files and commands of this machine, of another one, or of a test. */
  readonly environment: Environment;
  /**
   * Returns what takes the tool out again. Throws `invalid_registration` for a tool without schema and the like; one whose
   * name is taken, or that providers refuse, is reported and left out.
   */
  registerTool(tool: AnyAgentTool): () => void;
  /** Handlers run in order of registration. */
  on<Name extends keyof CodingAgentHooks & string>(
    name: Name,
    handler: HookHandler<CodingAgentHooks, Name>,
  ): void;
  /** Observes a moment of a run, before UIs do. Awaited for ten seconds; one that throws is reported and skipped. */
  on<Type extends LifecycleEventType>(
    type: Type,
    handler: (event: LifecycleEvent<Type>) => void | Promise<void>,
  ): void;
  /** Adds a section of this name to the system prompt, behind the built-in ones. */
  setPromptSection(name: string, text: string): void;
  /** A name that is taken gets a number: `name:2`. Commands of the host go over those of extensions. */
  registerCommand(name: string, command: ExtensionCommand): void;
  /** A wire API of its own; models name it in `api`. One that is taken is reported and left out, here and below. */
  registerProvider(provider: Provider): void;
  registerModel(model: Model): void;
  /** What the model sees of `custom` entries of this kind. */
  registerEntryKind(customType: string, projector: EntryProjector): void;
  /** Stores data as a `custom` entry; during a run with its next write. */
  appendEntry(customType: string, data?: unknown): Promise<void>;
  /**
   * Asked at every compaction, after hooks and before the built-in strategies. What it makes is checked; one that throws
   * is passed over. Masks alone make no compaction: the result then has an empty summary.
   */
  registerCompactionStrategy(strategy: CompactionStrategy): void;
  /** A place for sessions that the host may choose by name (`openSession`). */
  registerStorage(name: string, repo: SessionRepo): void;
  /** Announces tools that come later: names with this beginning may be chosen before they exist. */
  expectTools(prefix: string): void;
  /** Names that the user chose or the session used, and that no tool has yet. */
  missingTools(): readonly string[];
  readonly ui: ExtensionUi;
  /** Tells the user of something that is wrong, as a `diagnostic` event in the extension's name. */
  report(message: string, level?: "warning" | "error"): Promise<void>;
  /** Called when the extension goes: its time to end processes and close files. What it returns is awaited for a while. */
  onUnload(cleanup: () => void | Promise<void>): void;
}

/** A part that adds to a coding agent. One that fails to set up is reported and left out; the agent goes on. */
export interface Extension {
  readonly name: string;
  readonly version?: string;
  /** The file it came from, for reports. */
  readonly path?: string;
  setup?(api: ExtensionApi): void | Promise<void>;
  /** Supplies the compaction; undefined leaves it to the next extension, then to the built-in one. */
  onCompaction?(
    context: CompactionContext,
    signal: AbortSignal,
  ): CompactionAnswer | undefined | Promise<CompactionAnswer | undefined>;
}
