import type { AgentMessage } from "@coppice/agent";
import type { ToolSpec } from "@coppice/ai";
import type { ContextSize, TokenEstimator } from "@coppice/compaction";
import type { Session, SessionContext } from "@coppice/session";
import { ContextScale } from "./context-size.ts";
import type { ExtensionRegistry } from "./extension-registry.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { PromptSource } from "./prompt-source.ts";
import { UsageValidity } from "./usage-validity.ts";

/** What the next request sends, and how large it is. */
export interface Projection {
  readonly context: SessionContext;
  /** Oldest first. */
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt: string;
  readonly tools: readonly ToolSpec[];
  readonly size: ContextSize;
  /** Counts as the chosen model does, as far as its reports have taught. */
  readonly estimator: TokenEstimator;
}

export interface ContextViewOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly prompt: PromptSource;
  readonly choice: ModelChoice;
  readonly registry: ExtensionRegistry;
}

/** Projects the session onto a request. Nothing else decides what the model sees. */
export class ContextView {
  readonly #options: ContextViewOptions;
  readonly #validity: UsageValidity;
  readonly #scale = new ContextScale();

  constructor(options: ContextViewOptions) {
    this.#options = options;
    this.#validity = new UsageValidity(options.session);
  }

  /** `more`: messages as if they stood behind the others. */
  async project(more: readonly AgentMessage[] = []): Promise<Projection> {
    const { session, writes, prompt, choice, registry } = this.#options;
    const { projectors } = registry;
    const context = await session.buildContext(projectors === undefined ? undefined : { projectors });
    const messages = [...context.messages, ...unwrittenMessages(writes), ...more];
    const { tools } = prompt.state();
    const systemPrompt = prompt.text();
    const usageValidFrom = await this.#validity.from(context.entries);
    const measured = this.#scale.measure({
      messages,
      systemPrompt,
      tools,
      usageValidFrom,
      model: choice.model,
    });
    return { context, messages, systemPrompt, tools, ...measured };
  }
}

/** Messages of the running turn that the flush policy has not written yet. */
function unwrittenMessages(writes: PendingWrites): readonly AgentMessage[] {
  return writes.drafts.flatMap((draft): readonly AgentMessage[] => {
    if (draft.type === "message") return draft.message.role === "system" ? [] : [draft.message];
    if (draft.type !== "custom_message") return [];
    const { type: _, ...fields } = draft;
    return [{ role: "custom", ...fields, timestamp: 0 }];
  });
}
