import type { AgentMessage } from "@coppice/agent";
import type { ToolSpec } from "@coppice/ai";
import { type ContextSize, estimateContextTokens } from "@coppice/compaction";
import type { SessionContext, SessionShape } from "@coppice/session";
import type { PendingWrites } from "./pending-writes.ts";
import type { PromptSource } from "./prompt-source.ts";

/** What the next request sends, and how large it is. */
export interface Projection {
  readonly context: SessionContext;
  /** Oldest first. */
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt: string;
  readonly tools: readonly ToolSpec[];
  readonly size: ContextSize;
}

export interface ContextViewOptions {
  readonly session: SessionShape;
  readonly writes: PendingWrites;
  readonly prompt: PromptSource;
}

/** Projects the session onto a request. Nothing else decides what the model sees. */
export class ContextView {
  readonly #session: SessionShape;
  readonly #writes: PendingWrites;
  readonly #prompt: PromptSource;

  constructor(options: ContextViewOptions) {
    this.#session = options.session;
    this.#writes = options.writes;
    this.#prompt = options.prompt;
  }

  async project(): Promise<Projection> {
    const context = await this.#session.buildContext();
    const messages = [...context.messages, ...unwrittenMessages(this.#writes)];
    const { tools } = this.#prompt.state();
    const systemPrompt = this.#prompt.text();
    const size = estimateContextTokens({ messages, systemPrompt, tools });
    return { context, messages, systemPrompt, tools, size };
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
