import type { HookRunner } from "@coppice/agent";
import {
  type CompactionResult,
  type CompactionSettingsInput,
  type CompactionStrategy,
  LEAST_EARLY_TOKENS,
  maskStrategy,
  planEarlyMasking,
  type ResolvedCompactionSettings,
  resolveCompactionSettings,
  type Shortening,
} from "@coppice/compaction";
import { isEntry, type Session } from "@coppice/session";
import type { CompactionMaker, MadeCompaction } from "./compaction-maker.ts";
import { type CompactionPlan, nothingToCompact, planCompaction } from "./compaction-plan.ts";
import type { ContextView, Projection } from "./context-view.ts";
import { messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { CompactionReason } from "./events.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { PromptSource } from "./prompt-source.ts";
import { storeCompaction, storeMasks } from "./store-compaction.ts";
import type { SummaryCalls } from "./summary-calls.ts";
import type { ToolSet } from "./tool-set.ts";
import { RECALL_TOOL_NAME } from "./tools/recall/entry-quote.ts";

export interface CompactionRunOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly view: ContextView;
  readonly choice: ModelChoice;
  readonly prompt: PromptSource;
  readonly toolSet: ToolSet;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly events: EventBus;
  readonly calls: SummaryCalls;
  readonly maker: CompactionMaker;
  readonly settings: CompactionSettingsInput;
}

export interface CompactionRequest {
  readonly reason: CompactionReason;
  readonly instructions?: string | undefined;
  /** A summary that is there already. */
  readonly prepared?: CompactionStrategy | undefined;
  readonly signal: AbortSignal;
}

/** One compaction, whoever asked for it: plan, ask hooks and extensions, summarise, store. */
export class CompactionRun {
  readonly #options: CompactionRunOptions;

  constructor(options: CompactionRunOptions) {
    this.#options = options;
  }

  /** The settings for the chosen model. */
  settings(): ResolvedCompactionSettings {
    const { settings, choice } = this.#options;
    return resolveCompactionSettings({ settings, model: choice.model, contextWindow: choice.contextWindow });
  }

  /** Whether the model can call `recall`: only then handles in summaries mean anything to it. */
  get isRecallActive(): boolean {
    return this.#options.toolSet.active.some(({ name }) => name === RECALL_TOOL_NAME);
  }

  /** A new prompt: summaries that failed during the last one may be asked for again. */
  promptStarts(): void {
    this.#options.calls.reset();
  }

  /** Makes the context smaller because its trigger fired: by masking where that is enough, else as `run` does. */
  async shrink(signal: AbortSignal, prepared?: CompactionStrategy): Promise<void> {
    const request: CompactionRequest = { reason: "threshold", signal, prepared };
    const plan = await this.plan(request.reason);
    // What is prepared is paid for.
    if (prepared !== undefined || !(await this.#mask(plan, signal))) await this.#runPlan(plan, request);
  }

  /**
   * Compacts. The session changes in one write at the end, or not at all.
   *
   * Throws `nothing_to_compact` before any event, later `compaction_cancelled`, `invalid_compaction`, `write_failed` or
   * the compaction's own error; each of these ends in `compaction_end` with its message.
   */
  async run(request: CompactionRequest): Promise<CompactionResult> {
    return this.#runPlan(await this.plan(request.reason), request);
  }

  /** What would be cut; everything that is pending is on disk then. Throws `write_failed`, and what `planCompaction` does. */
  async plan(reason: CompactionReason): Promise<CompactionPlan> {
    const { writes, session, view } = this.#options;
    await writes.flushOrThrow();
    const projection = await view.project();
    return planCompaction({
      ...{ session, projection, settings: this.settings(), reason },
      isRecallActive: this.isRecallActive,
    });
  }

  /**
   * Shows old results shorter well ahead of the trigger, where that is cheaper than to go on sending them; true when it
   * did. What is pending is on disk then.
   */
  async maskEarly(projection: Projection): Promise<boolean> {
    const { session, writes, choice } = this.#options;
    const { enabled, maskEarly, keepRecentTokens } = this.settings();
    const isTooSmall = projection.size.tokens < keepRecentTokens + LEAST_EARLY_TOKENS;
    if (!enabled || !maskEarly || isTooSmall) return false;
    const shortenings = planEarlyMasking({
      entries: projection.context.entries,
      keepRecentTokens,
      prices: choice.model.cost,
      estimator: projection.estimator,
      isRecallActive: this.isRecallActive,
    });
    if (shortenings.length === 0) return false;
    await writes.flushOrThrow();
    await this.#storeMasks(shortenings, { projection, leafId: session.getLeafId() });
    return true;
  }

  /** Old results are shown shorter; false where that would not free enough. */
  async #mask(plan: CompactionPlan, signal: AbortSignal): Promise<boolean> {
    const { calls } = this.#options;
    const { input, preparation, projection } = plan;
    if (projection.size.tokens <= this.settings().triggerTokens) return false;
    const call = await calls.for(plan, { signal });
    const outcome = await maskStrategy.shrink({ session: input, preparation, call });
    if (outcome?.type !== "mask") return false;
    await this.#storeMasks(outcome.shortenings, plan);
    return true;
  }

  async #storeMasks(
    shortenings: readonly Shortening[],
    { projection, leafId }: Pick<CompactionPlan, "projection" | "leafId">,
  ): Promise<void> {
    const { session, view, events } = this.#options;
    await storeMasks(session, shortenings, leafId);
    const after = await view.project();
    await events.emit({
      type: "context_masked",
      entries: shortenings.length,
      tokensBefore: projection.size.tokens,
      tokensAfter: after.size.tokens,
    });
  }

  async #runPlan(plan: CompactionPlan, request: CompactionRequest): Promise<CompactionResult> {
    const { instructions, prepared, signal } = request;
    if (plan.preparation === undefined) throw nothingToCompact(plan.projection);
    return this.told(request, async () => {
      const made = await this.#options.maker.make(plan, { instructions, signal, prepared });
      await this.keep(plan, made, signal);
      return made.result;
    });
  }

  /** Tells listeners and hooks of a compaction, from its start to its end, whatever that is. */
  async told(
    { reason, signal }: Pick<CompactionRequest, "reason" | "signal">,
    work: () => Promise<CompactionResult>,
  ): Promise<CompactionResult> {
    const { events, hooks } = this.#options;
    await events.emit({ type: "compaction_start", reason });
    try {
      const result = await work();
      await events.emit({ type: "compaction_end", reason, result, aborted: false });
      return result;
    } catch (error) {
      const aborted = signal.aborted;
      const errorMessage = messageOf(error);
      await events.emit({ type: "compaction_end", reason, result: undefined, aborted, errorMessage });
      await hooks.run("session_compact_failed", { reason, aborted, errorMessage }, signal);
      throw error;
    }
  }

  /** Stores a compaction or masks that were made for a plan, all or nothing. Throws `compaction_failed` when the session moved. */
  async keep(plan: CompactionPlan, made: MadeCompaction, signal: AbortSignal): Promise<void> {
    const { session, events, hooks, prompt, toolSet } = this.#options;
    const { result, isMasking, supplied, fromHook, isPaid } = made;
    if (isMasking) return this.#storeMasks(result.shortenings, plan);
    const entryId = await storeCompaction({
      ...{ session, result, fromHook, isPaid, leafId: plan.leafId, path: plan.input.path },
      hiddenEntryIds: supplied?.hiddenEntryIds,
      details: supplied?.details,
      systemMessage: plan.projection.context.systemMessage,
    });
    // The prefix breaks here anyway, so that this is the moment for what would break it. The next request records it.
    const { preserveSystemPrompt, preserveTools } = this.settings();
    if (!preserveSystemPrompt) await prompt.reload();
    if (!preserveTools) toolSet.restoreConfigured();
    await events.emit({ type: "entry_appended", entryId, entryType: "compaction" });
    const entry = await session.getEntry(entryId);
    if (entry === undefined || !isEntry(entry, "compaction")) return;
    await hooks.run("session_compact", { reason: plan.reason, entry, fromHook }, signal);
  }
}
