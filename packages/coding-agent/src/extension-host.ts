import type { CompactionStrategy } from "@coppice/compaction";
import { CodingAgentError, messageOf } from "./errors.ts";
import { LISTENER_LIMIT_MS } from "./event-bus.ts";
import type { CommandAgent, CompactionAnswer, CompactionContext, Extension } from "./extension.ts";
import {
  type AppendEntry,
  createExtensionApi,
  type ExtensionLease,
  type ExtensionTargets,
} from "./extension-api.ts";
import type { ExtensionDialogs } from "./extension-dialogs.ts";
import { ExtensionRegistry } from "./extension-registry.ts";
import type { Sleep } from "./sleep.ts";
import { withinLimit } from "./within-limit.ts";

export interface ExtensionHostOptions extends ExtensionTargets {
  readonly sleep: Sleep;
}

interface Loaded extends ExtensionLease {
  readonly extension: Extension;
}

/** How long one extension may take to end what it started. */
const UNLOAD_LIMIT_MS = 2000;

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
    return this.#loaded.map(({ owner }) => owner);
  }

  /** Compaction strategies of extensions, in order of registration. */
  get strategies(): readonly CompactionStrategy[] {
    return this.registry.strategies;
  }

  get dialogs(): ExtensionDialogs {
    return this.#options.dialogs;
  }

  /** The way to the session, once there is one. */
  connect(appendEntry: AppendEntry): void {
    this.#appendEntry = appendEntry;
  }

  /** Sets one extension up. A failure is reported, and what it registered until then is taken out again. */
  async load(extension: Extension): Promise<void> {
    const { sleep, events } = this.#options;
    const loaded: Loaded = {
      ...{ extension, owner: extension.name, undo: [], cleanups: [], isAlive: true },
    };
    const api = createExtensionApi({
      ...{ lease: loaded, targets: this.#options, registry: this.registry },
      appendEntry: () => this.#appendEntry,
    });
    try {
      const pending = extension.setup?.(api);
      if (pending !== undefined) {
        await withinLimit(pending, { sleep, limitMs: LISTENER_LIMIT_MS, what: "its setup" });
      }
      this.#loaded.push(loaded);
    } catch (error) {
      await this.#end(loaded);
      const { name, path } = extension;
      const which = path === undefined ? name : `${name} (${path})`;
      await events.report(
        `Extension ${which} could not be set up and is left out: ${messageOf(error)}`,
        "error",
      );
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

  /**
   * Takes everything out that extensions registered, at once; their handles throw from now on. Resolves when they have
   * ended what they started, or had their time for it.
   */
  async unload(): Promise<void> {
    await Promise.all(
      this.#loaded
        .splice(0)
        .reverse()
        .map((loaded) => this.#end(loaded)),
    );
  }

  async #end(loaded: Loaded): Promise<void> {
    loaded.isAlive = false;
    for (const step of loaded.undo.splice(0).reverse()) step();
    this.#options.dialogs.dismiss(loaded.owner);
    await Promise.all(
      loaded.cleanups
        .splice(0)
        .reverse()
        .map((cleanup) => this.#cleanUp(loaded, cleanup)),
    );
  }

  async #cleanUp({ owner }: Loaded, cleanup: () => void | Promise<void>): Promise<void> {
    const { sleep, events } = this.#options;
    try {
      const pending = cleanup();
      if (pending !== undefined)
        await withinLimit(pending, { sleep, limitMs: UNLOAD_LIMIT_MS, what: "its end" });
    } catch (error) {
      await events.report(`Extension ${owner} could not be ended cleanly: ${messageOf(error)}`);
    }
  }
}
