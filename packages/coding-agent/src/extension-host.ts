import type { HookRunner } from "@coppice/agent";
import type { CompactionStrategy } from "@coppice/compaction";
import { messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { CompactionAnswer, CompactionContext, Extension, ExtensionApi } from "./extension.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import type { PromptSource } from "./prompt-source.ts";
import type { ToolSet } from "./tool-set.ts";

export interface ExtensionHostOptions {
  readonly cwd: string;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly toolSet: ToolSet;
  readonly prompt: PromptSource;
  readonly events: EventBus;
}

/** Sets extensions up and owns what they registered. */
export class ExtensionHost {
  readonly #options: ExtensionHostOptions;
  readonly #loaded: { readonly extension: Extension; readonly undo: readonly (() => void)[] }[] = [];

  constructor(options: ExtensionHostOptions) {
    this.#options = options;
  }

  /** Sets one extension up. A failure is reported, and what it registered until then is taken out again. */
  async load(extension: Extension): Promise<void> {
    const undo: (() => void)[] = [];
    try {
      await extension.setup?.(this.#apiFor(extension, undo));
      this.#loaded.push({ extension, undo });
    } catch (error) {
      for (const step of undo.reverse()) step();
      const message = `Extension ${extension.name} could not be set up and is left out: ${messageOf(error)}`;
      await this.#options.events.report(message, "error");
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

  /** Compaction strategies of extensions, in order of registration. */
  get strategies(): readonly CompactionStrategy[] {
    return [];
  }

  /** Takes everything out that extensions registered. */
  unload(): void {
    for (const { undo } of this.#loaded.splice(0).reverse()) for (const step of [...undo].reverse()) step();
  }

  #apiFor(extension: Extension, undo: (() => void)[]): ExtensionApi {
    const { cwd, hooks, toolSet, prompt } = this.#options;
    return {
      cwd,
      registerTool: (tool) => void undo.push(toolSet.add(tool)),
      on: (name, handler) => void undo.push(hooks.on(name, handler, { owner: extension.name })),
      setPromptSection: (name, text) => void undo.push(prompt.setSection(name, text)),
    };
  }
}
