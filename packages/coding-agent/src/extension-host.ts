import type { HookRunner } from "@coppice/agent";
import type { CompactionStrategy } from "@coppice/compaction";
import { checkTool } from "./check-tool.ts";
import { CodingAgentError, messageOf } from "./errors.ts";
import { type EventBus, LISTENER_LIMIT_MS } from "./event-bus.ts";
import type {
  CommandAgent,
  CompactionAnswer,
  CompactionContext,
  Extension,
  ExtensionApi,
} from "./extension.ts";
import { ExtensionRegistry } from "./extension-registry.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import type { PromptSource } from "./prompt-source.ts";
import type { Sleep } from "./sleep.ts";
import type { ToolSet } from "./tool-set.ts";
import { withinLimit } from "./within-limit.ts";

export interface ExtensionHostOptions {
  readonly cwd: string;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly toolSet: ToolSet;
  readonly prompt: PromptSource;
  readonly events: EventBus;
  readonly sleep: Sleep;
}

/** How an extension's entries reach the session. */
export type AppendEntry = (customType: string, data: unknown) => Promise<void>;

interface Loaded {
  readonly extension: Extension;
  readonly undo: (() => void)[];
  isAlive: boolean;
}

/** Sets extensions up and owns what they registered. */
export class ExtensionHost {
  readonly registry = new ExtensionRegistry();
  readonly #options: ExtensionHostOptions;
  readonly #loaded: Loaded[] = [];
  #appendEntry: AppendEntry | undefined;

  constructor(options: ExtensionHostOptions) {
    this.#options = options;
  }

  /** Names of the extensions that are at work, in order. */
  get names(): readonly string[] {
    return this.#loaded.map(({ extension }) => extension.name);
  }

  /** Compaction strategies of extensions, in order of registration. */
  get strategies(): readonly CompactionStrategy[] {
    return this.registry.strategies;
  }

  /** The way to the session, once there is one. */
  connect(appendEntry: AppendEntry): void {
    this.#appendEntry = appendEntry;
  }

  /** Sets one extension up. A failure is reported, and what it registered until then is taken out again. */
  async load(extension: Extension): Promise<void> {
    const { sleep } = this.#options;
    const loaded: Loaded = { extension, undo: [], isAlive: true };
    try {
      const pending = extension.setup?.(this.#apiFor(loaded));
      if (pending !== undefined) {
        await withinLimit(pending, { sleep, limitMs: LISTENER_LIMIT_MS, what: "its setup" });
      }
      this.#loaded.push(loaded);
    } catch (error) {
      this.#end(loaded);
      const message = `Extension ${extension.name} could not be set up and is left out: ${messageOf(error)}`;
      await this.#options.events.report(message, "error");
    }
  }

  /** Runs a command; what goes wrong in it is reported and ends there. Throws `unknown_command`. */
  async runCommand(name: string, args: string, agent: CommandAgent): Promise<string | undefined> {
    const command = this.registry.command(name);
    if (command === undefined) {
      throw new CodingAgentError({ code: "unknown_command", message: `There is no command "${name}".` });
    }
    try {
      return (await command.handler(args.trim(), agent)) ?? undefined;
    } catch (error) {
      const message = `The command ${name} of the extension ${command.owner} failed: ${messageOf(error)}`;
      await this.#options.events.report(message, "error");
      return undefined;
    }
  }

  /** The first extension's answer to a compaction; one that throws is reported and skipped. */
  async compaction(
    context: CompactionContext,
    signal: AbortSignal,
  ): Promise<{ readonly owner: string; readonly answer: CompactionAnswer } | undefined> {
    for (const { extension } of this.#loaded) {
      try {
        const answer = await extension.onCompaction?.(context, signal);
        if (answer !== undefined) return { owner: extension.name, answer };
      } catch (error) {
        const message = `Extension ${extension.name} failed at a compaction and is skipped: ${messageOf(error)}`;
        await this.#options.events.report(message, "error");
      }
    }
    return undefined;
  }

  /** Takes everything out that extensions registered; their handles throw from now on. */
  unload(): void {
    for (const loaded of this.#loaded.splice(0).reverse()) this.#end(loaded);
  }

  #end(loaded: Loaded): void {
    loaded.isAlive = false;
    for (const step of loaded.undo.splice(0).reverse()) step();
  }

  #apiFor(loaded: Loaded): ExtensionApi {
    const { cwd, hooks, toolSet, prompt } = this.#options;
    const { name: owner } = loaded.extension;
    const { registry } = this;
    const alive = () => {
      if (!loaded.isAlive) throw unloaded(owner);
    };
    const own = (register: () => () => void): void => {
      alive();
      loaded.undo.push(register());
    };
    return {
      cwd,
      registerTool: (tool) => {
        checkTool(tool);
        own(() => toolSet.add(tool));
      },
      on: (name, handler) => own(() => hooks.on(name, handler, { owner })),
      setPromptSection: (name, text) => own(() => prompt.setSection(name, text)),
      registerCommand: (name, command) => own(() => registry.addCommand(owner, name, command)),
      registerProvider: (provider) => own(() => registry.addProvider(provider)),
      registerModel: (model) => own(() => registry.addModel(model)),
      registerEntryKind: (customType, projector) => own(() => registry.addProjector(customType, projector)),
      registerCompactionStrategy: (strategy) => own(() => registry.addStrategy(strategy)),
      appendEntry: async (customType, data) => {
        alive();
        if (this.#appendEntry === undefined) throw notReady();
        await this.#appendEntry(customType, data);
      },
    };
  }
}

function unloaded(owner: string): CodingAgentError {
  return new CodingAgentError({
    code: "extension_unloaded",
    message: `The extension ${owner} was unloaded; its handle cannot be used any more.`,
  });
}

function notReady(): CodingAgentError {
  return new CodingAgentError({
    code: "extension_failed",
    message: "Entries can be appended once the agent is ready: from hooks, tools and commands.",
  });
}
