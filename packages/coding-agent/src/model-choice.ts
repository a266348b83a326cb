import type { Model, ThinkingLevel } from "@coppice/ai";
import type { EntryDraft, SessionContextState } from "@coppice/session";

/** Which model answers and how much it thinks, from the next request on. */
export class ModelChoice {
  #model: Model;
  #thinkingLevel: ThinkingLevel;

  constructor(model: Model, thinkingLevel: ThinkingLevel) {
    this.#model = model;
    this.#thinkingLevel = thinkingLevel;
  }

  get model(): Model {
    return this.#model;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.#thinkingLevel;
  }

  selectModel(model: Model): void {
    this.#model = model;
  }

  selectThinkingLevel(level: ThinkingLevel): void {
    this.#thinkingLevel = level;
  }

  /** The entries that make a session's state say what is chosen; empty when it does already. */
  changesFrom(state: Pick<SessionContextState, "model" | "thinkingLevel">): readonly EntryDraft[] {
    const changes: EntryDraft[] = [];
    if (state.model?.provider !== this.#model.provider || state.model.modelId !== this.#model.id) {
      changes.push({ type: "model_change", provider: this.#model.provider, modelId: this.#model.id });
    }
    if (state.thinkingLevel !== this.#thinkingLevel) {
      changes.push({ type: "thinking_level_change", thinkingLevel: this.#thinkingLevel });
    }
    return changes;
  }
}
