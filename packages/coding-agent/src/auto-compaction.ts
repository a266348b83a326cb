import type { AgentMessage } from "@coppice/agent";
import { estimateContextTokens, shouldCompact } from "@coppice/compaction";
import type { CompactionRun } from "./compaction-run.ts";
import type { ContextView, Projection } from "./context-view.ts";
import { CodingAgentError, messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { BackgroundCompaction } from "./memory/background-compaction.ts";

/** Compactions in a row that may fail to get below the trigger before automatic ones rest. */
const MAX_INEFFECTIVE = 2;

/** Resting ends once the context has grown by this share of the window: then there is something new to cut. */
const REST_GROWTH_SHARE = 0.1;

/** An estimate may be this much too high; beyond it, a request that cannot shrink is not worth sending. */
const ESTIMATE_MARGIN = 1.2;

export interface AutoCompactionOptions {
  readonly run: CompactionRun;
  readonly view: ContextView;
  readonly events: EventBus;
  readonly background: BackgroundCompaction;
}

/**
 * Compacts before requests that need it.
 *
 * States: watching → compacting → watching, and resting after two compactions in a row that left the context above its
 * trigger. Resting ends when the context has grown by a tenth of the window, fell below the trigger, or `reset`. An
 * overflow is recovered once per prompt.
 */
export class AutoCompaction {
  readonly #run: CompactionRun;
  readonly #view: ContextView;
  readonly #events: EventBus;
  readonly #background: BackgroundCompaction;
  #ineffective = 0;
  #restingAboveTokens: number | undefined;
  #overflowRecovered = false;

  constructor(options: AutoCompactionOptions) {
    this.#run = options.run;
    this.#view = options.view;
    this.#events = options.events;
    this.#background = options.background;
  }

  /** A new prompt: one overflow may be recovered again. */
  promptStarts(): void {
    this.#overflowRecovered = false;
    this.#run.promptStarts();
    this.#background.promptStarts();
  }

  /** The context is another one now: by hand, by navigation, by another model. */
  reset(): void {
    this.#ineffective = 0;
    this.#restingAboveTokens = undefined;
  }

  /** Rests until the context has grown beyond this size, as after a compaction that was taken back. */
  restAbove(tokens: number): void {
    const { contextWindow } = this.#run.settings();
    const grown = tokens + contextWindow * REST_GROWTH_SHARE;
    this.#restingAboveTokens = Math.min(grown, Math.max(tokens, (tokens + contextWindow) / 2));
  }

  /**
   * Compacts if the next request needs it, and returns what that request sends.
   *
   * A compaction that fails leaves the request as it is. Throws `context_too_large` when the part that no compaction can
   * shrink is larger than the window.
   */
  async beforeRequest(signal: AbortSignal): Promise<Projection> {
    const projection = await this.#view.project();
    if (!this.#isAboveTrigger(projection)) {
      this.reset();
      if (await this.#run.maskEarly(projection)) return this.#view.project();
      this.#background.consider(projection);
    }
    if (!this.isDue(projection)) return projection;
    if (await this.#attempt(signal)) {
      const after = await this.#view.project();
      await this.#judge(after);
      this.#refuseHopeless(after);
      return after;
    }
    this.#refuseHopeless(projection);
    return projection;
  }

  /** After a provider refused the size: true when the context is smaller now and the request should be sent again. */
  async recoverFromOverflow(signal: AbortSignal): Promise<boolean> {
    if (this.#overflowRecovered) {
      await this.#tellOverflow(
        "The context still does not fit the model after a compaction. Compact by hand with other instructions, or pick a model with a larger window.",
      );
      return false;
    }
    this.#overflowRecovered = true;
    try {
      const prepared = this.#background.strategy(signal);
      await this.#run.run({ reason: "overflow", signal, prepared });
      return true;
    } catch (error) {
      const nothing = error instanceof CodingAgentError && error.code === "nothing_to_compact";
      const reason = nothing
        ? "there is nothing older than the newest message to summarise."
        : messageOf(error);
      await this.#tellOverflow(
        `The context does not fit the model and was not made smaller: ${reason} Send less at once, or pick a model with a larger window.`,
      );
      return false;
    }
  }

  #tellOverflow(message: string): Promise<void> {
    return this.#events.emit({ type: "diagnostic", level: "error", message, code: "context_overflow" });
  }

  /** Whether a request of this projection would be compacted first. */
  isDue(projection: Projection): boolean {
    if (!this.#isAboveTrigger(projection)) return false;
    return this.#restingAboveTokens === undefined || projection.size.tokens > this.#restingAboveTokens;
  }

  #isAboveTrigger({ size, messages }: Projection): boolean {
    const settings = this.#run.settings();
    return shouldCompact({
      contextTokens: size.tokens,
      contextWindow: settings.contextWindow,
      settings,
      messagesSinceCompaction: messagesSinceCompaction(messages),
    });
  }

  async #attempt(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#run.shrink(signal, this.#background.strategy(signal));
      return true;
    } catch (error) {
      // An abort is seen by the run itself; `nothing_to_compact` is no failure; the rest was told by its events.
      if (error instanceof CodingAgentError && error.code === "write_failed") throw error;
      return false;
    }
  }

  async #judge({ size }: Projection): Promise<void> {
    const { contextWindow, triggerTokens } = this.#run.settings();
    if (size.tokens <= triggerTokens) return this.reset();
    this.#ineffective += 1;
    if (this.#ineffective < MAX_INEFFECTIVE) return;
    this.#ineffective = 0;
    this.#restingAboveTokens = size.tokens + contextWindow * REST_GROWTH_SHARE;
    await this.#events.report(
      `Compaction leaves about ${size.tokens} tokens, above the trigger of ${triggerTokens}; automatic compaction rests. Shorten the system prompt or turn tools off, or pick a model with a larger window.`,
    );
  }

  #refuseHopeless({ systemPrompt, tools, messages }: Projection): void {
    const { contextWindow } = this.#run.settings();
    const lastInput = messages.findLast((message) => message.role === "user");
    const least = estimateContextTokens({
      messages: lastInput === undefined ? [] : [lastInput],
      systemPrompt,
      tools,
    }).tokens;
    if (least <= contextWindow * ESTIMATE_MARGIN) return;
    throw new CodingAgentError({
      code: "context_too_large",
      message: `The system prompt, the tools and the newest message take about ${least} tokens, more than the model's window of ${contextWindow}.`,
      data: { tokens: least, contextWindow },
    });
  }
}

/** User and assistant messages that are newer than the summary; kept ones were counted before it. */
function messagesSinceCompaction(messages: readonly AgentMessage[]): number {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  // The summary stands first, whatever it kept.
  for (const message of messages) {
    if (message.role === "compactionSummary") since = message.timestamp;
    if ((message.role === "user" || message.role === "assistant") && message.timestamp > since) count++;
  }
  return count;
}
