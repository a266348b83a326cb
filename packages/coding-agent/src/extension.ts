import type { AgentMessage, AnyAgentTool, HookHandler } from "@coppice/agent";
import type { Usage } from "@coppice/ai";
import type { CompactionPreparation } from "@coppice/compaction";
import type { CompactionReason } from "./events.ts";
import type { CodingAgentHooks } from "./hooks.ts";

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

/** What an extension may register while it is set up. All of it is owned by the extension and removed with it. */
export interface ExtensionApi {
  /** Absolute. */
  readonly cwd: string;
  /** Throws `duplicate_tool` for a name that is taken. */
  registerTool(tool: AnyAgentTool): void;
  /** Handlers run in order of registration. */
  on<Name extends keyof CodingAgentHooks & string>(
    name: Name,
    handler: HookHandler<CodingAgentHooks, Name>,
  ): void;
  /** Adds a section of this name to the system prompt, behind the built-in ones. */
  setPromptSection(name: string, text: string): void;
}

/** A part that adds to a coding agent. One that fails to set up is reported and left out; the agent goes on. */
export interface Extension {
  readonly name: string;
  readonly version?: string;
  setup?(api: ExtensionApi): void | Promise<void>;
  /** Supplies the compaction; undefined leaves it to the next extension, then to the built-in one. */
  onCompaction?(
    context: CompactionContext,
    signal: AbortSignal,
  ): CompactionAnswer | undefined | Promise<CompactionAnswer | undefined>;
}
