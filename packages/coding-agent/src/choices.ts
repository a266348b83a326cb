import type { HookRunner } from "@coppice/agent";
import type { Model, ThinkingLevel } from "@coppice/ai";
import type { AutoCompaction } from "./auto-compaction.ts";
import type { EventBus } from "./event-bus.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import type { BackgroundCompaction } from "./memory/background-compaction.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { OperationGate } from "./operation-gate.ts";
import type { ToolSet } from "./tool-set.ts";

export interface ChoicesOptions {
  readonly gate: OperationGate;
  readonly choice: ModelChoice;
  readonly toolSet: ToolSet;
  readonly autoCompaction: AutoCompaction;
  readonly background: BackgroundCompaction;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly events: EventBus;
}

/**
 * What the user may change at any time: model, thinking level, tools.
 *
 * A change counts from the next request, also of a running prompt, and is recorded in the session with it.
 */
export class Choices {
  readonly #options: ChoicesOptions;

  constructor(options: ChoicesOptions) {
    this.#options = options;
  }

  get model(): Model {
    return this.#options.choice.model;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.#options.choice.thinkingLevel;
  }

  /** Names of all tools and of the active ones, in order of registration. */
  get tools(): { readonly all: readonly string[]; readonly active: readonly string[] } {
    const { toolSet } = this.#options;
    return { all: toolSet.names, active: toolSet.active.map((tool) => tool.name) };
  }

  async setModel(model: Model): Promise<void> {
    const { gate, choice, autoCompaction, background, hooks, events } = this.#options;
    gate.refuseClosed("choose a model");
    const previous = choice.model;
    choice.selectModel(model);
    // Another window, another trigger.
    autoCompaction.reset();
    await background.windowIs(choice.contextWindow);
    await events.emit({ type: "model_select", model });
    await hooks.run("model_select", { model, previous }, new AbortController().signal);
  }

  async setThinkingLevel(level: ThinkingLevel): Promise<void> {
    const { gate, choice, events } = this.#options;
    gate.refuseClosed("choose a thinking level");
    choice.selectThinkingLevel(level);
    await events.emit({ type: "thinking_level_select", thinkingLevel: level });
  }

  /** Throws `unknown_tool`; the active tools are then unchanged. */
  async setActiveTools(names: readonly string[]): Promise<void> {
    const { gate, toolSet } = this.#options;
    gate.refuseClosed("choose tools");
    toolSet.activate(names);
  }
}
