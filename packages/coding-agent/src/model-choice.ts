import { type Model, modelName, type ThinkingLevel } from "@coppice/ai";
import type { EntryDraft, SessionContextState } from "@coppice/session";

/** Which model answers and how much it thinks, from the next request on. */
export class ModelChoice {
  #model: Model;
  #thinkingLevel: ThinkingLevel;
  readonly #namedWindows = new Map<string, number>();

  constructor(model: Model, thinkingLevel: ThinkingLevel) {
    this.#model = model;
    this.#thinkingLevel = thinkingLevel;
  }

  get model(): Model {
    return this.#model;
  }

  /** The chosen model's window in tokens, or the smaller one that its provider has named since. */
  get contextWindow(): number {
    const named = this.#namedWindows.get(modelName(this.#model));
    const { contextWindow } = this.#model;
    return named === undefined ? contextWindow : contextWindow > 0 ? Math.min(named, contextWindow) : named;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.#thinkingLevel;
  }

  selectModel(model: Model): void {
    this.#model = model;
  }

  /** A provider named the window of the chosen model; true when it is smaller than what was known. */
  learnWindow(tokens: number): boolean {
    const before = this.contextWindow;
    if (before > 0 && tokens >= before) return false;
    this.#namedWindows.set(modelName(this.#model), tokens);
    return true;
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
