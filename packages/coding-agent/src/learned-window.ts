import { type AssistantMessage, modelName } from "@coppice/ai";
import type { EventBus } from "./event-bus.ts";
import type { ModelChoice } from "./model-choice.ts";

/** Takes over the window that a provider names when it refuses a request of the chosen model as too long. */
export class LearnedWindow {
  readonly #choice: ModelChoice;
  readonly #events: EventBus;

  constructor(options: { readonly choice: ModelChoice; readonly events: EventBus }) {
    this.#choice = options.choice;
    this.#events = options.events;
  }

  async learnFrom({ error, provider, model }: AssistantMessage): Promise<void> {
    const choice = this.#choice;
    if (error?.code !== "context_overflow") return;
    if (provider !== choice.model.provider || model !== choice.model.id) return;
    const tokens = error.limitTokens;
    if (tokens === undefined || !choice.learnWindow(tokens)) return;
    await this.#events.report(
      `${modelName(choice.model)} has a context window of ${tokens} tokens by its provider's own word; that counts for this session.`,
    );
  }
}
