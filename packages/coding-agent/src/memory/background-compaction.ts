import { untilAborted } from "@coppice/agent";
import { type AssistantMessage, addUsage, type ChatRequest, type Usage, ZERO_USAGE } from "@coppice/ai";
import {
  type CompactionStrategy,
  compact,
  compactWithText,
  estimateTokens,
  planMasking,
  prepareCompaction,
  type SummaryCallOptions,
} from "@coppice/compaction";
import { type AnyEntry, isEntry, type Session } from "@coppice/session";
import { PREPARED_STRATEGY } from "../compaction-maker.ts";
import type { CompactionPlan } from "../compaction-plan.ts";
import type { CompactionRun } from "../compaction-run.ts";
import type { Projection } from "../context-view.ts";
import { messageOf } from "../errors.ts";
import type { EventBus } from "../event-bus.ts";
import type { ExtensionHost } from "../extension-host.ts";
import type { SummaryCalls } from "../summary-calls.ts";
import { recordSummaryUsage } from "./record-summary-usage.ts";

export interface BackgroundCompactionOptions {
  readonly session: Session;
  readonly run: CompactionRun;
  readonly calls: SummaryCalls;
  readonly extensions: ExtensionHost;
  readonly events: EventBus;
}

/** Share of the trigger at which the summary is begun. */
const START_SHARE = 0.8;

/** One summary under way or ready. */
interface Job {
  /** Where the branch ended when it was begun. */
  readonly anchorId: string;
  readonly contextWindow: number;
  readonly controller: AbortController;
  /** Whether listeners know of it. */
  isTold: boolean;
  /** Resolves once nothing of it runs any more, its cost recorded; undefined = there is no summary. */
  done: Promise<Prepared | undefined>;
}

interface Prepared {
  readonly firstKeptEntryId: string;
  readonly summary: string;
  readonly usage: Usage;
}

/**
 * Has the summary ready when the trigger fires: the call is made while the conversation goes on.
 *
 * At most one at a time. What it cost is recorded when the call ends, used or not; nothing else is stored before the
 * compaction itself, so that a kill at any moment leaves the session as it was. A summary is only used while its span
 * still begins the branch, unedited, in a window that is not smaller.
 */
export class BackgroundCompaction {
  readonly #options: BackgroundCompactionOptions;
  #job: Job | undefined;
  /** A summary failed or none is possible: not again before the next prompt. */
  #isResting = false;
  #isEnded = false;

  constructor(options: BackgroundCompactionOptions) {
    this.#options = options;
  }

  promptStarts(): void {
    this.#isResting = false;
  }

  /** Begins where it is time to; returns at once. */
  consider(projection: Projection): void {
    if (this.#job !== undefined || this.#isResting || this.#isEnded) return;
    const { enabled, background, triggerTokens } = this.#options.run.settings();
    if (!enabled || !background || projection.size.tokens < triggerTokens * START_SHARE) return;
    const { session, run, calls, extensions } = this.#options;
    // One that replaces the whole step would make the call a waste.
    if (!calls.mayAsk || extensions.strategies.length > 0) return;
    const anchorId = session.getLeafId();
    if (anchorId === null || this.#masksSuffice(projection)) return;
    const { contextWindow } = run.settings();
    const job: Job = {
      ...{ anchorId, contextWindow, isTold: false },
      controller: new AbortController(),
      done: Promise.resolve(undefined),
    };
    this.#job = job;
    job.done = this.#prepare(job, projection).then((prepared) => {
      if (prepared === undefined && this.#job === job) this.#job = undefined;
      return prepared;
    });
  }

  /**
   * The summary as the first thing to ask, waiting for one that is under way; undefined where none was begun. Asked, it
   * passes where the summary failed or no longer fits.
   */
  strategy(signal: AbortSignal): CompactionStrategy | undefined {
    const job = this.#job;
    if (job === undefined) return undefined;
    return {
      name: PREPARED_STRATEGY,
      shrink: async ({ session: input }) => {
        // Stopped while it is waited for, the summary goes on and counts for the next prompt.
        const prepared = await untilAborted(job.done, signal);
        signal.throwIfAborted();
        if (this.#job !== job || prepared === undefined) return undefined;
        await this.check();
        if (this.#job !== job) return undefined;
        this.#job = undefined;
        const { firstKeptEntryId, summary, usage } = prepared;
        const preparation = prepareCompaction({ ...input, firstKeptEntryId });
        if (preparation === undefined) return undefined;
        const result = { ...compactWithText(preparation, summary), usage };
        await this.#tell("used", {});
        return { type: "compaction", result };
      },
    };
  }

  /** Drops a summary whose span no longer begins the branch. */
  async check(): Promise<void> {
    const job = this.#job;
    if (job !== undefined && !(await this.#fits(job))) await this.drop("The conversation went another way.");
  }

  /** Drops a summary that was begun for a larger window. */
  async windowIs(contextWindow: number): Promise<void> {
    if (this.#job === undefined || contextWindow >= this.#job.contextWindow) return;
    await this.drop("The model now has a smaller window.");
  }

  /** Stops the call, or forgets the summary; resolves once nothing of it runs any more. */
  async drop(reason: string): Promise<void> {
    const job = this.#job;
    if (job === undefined) return;
    this.#job = undefined;
    job.controller.abort();
    await job.done;
    if (job.isTold) await this.#tell("dropped", { reason });
  }

  /** Drops what there is and begins nothing more. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.drop("The agent ends.");
  }

  async #prepare(job: Job, projection: Projection): Promise<Prepared | undefined> {
    const { calls, session } = this.#options;
    const { signal } = job.controller;
    let usage: Usage = ZERO_USAGE;
    const counting = (complete: SummaryCallOptions["complete"]) => async (request: ChatRequest) => {
      const answer: AssistantMessage = await complete(request);
      usage = addUsage(usage, answer.usage);
      return answer;
    };
    try {
      const plan = await this.#plan(job, projection);
      if (plan.preparation === undefined || signal.aborted) return this.#rest();
      job.isTold = true;
      await this.#tell("started", {});
      const call = await calls.for(plan, { signal });
      const outcome = await settled(
        compact(plan.preparation, { ...call, complete: counting(call.complete) }),
      );
      await recordSummaryUsage(session, call.model, usage);
      if (signal.aborted) return undefined;
      if ("error" in outcome) throw outcome.error;
      await this.#tell("ready", { usage });
      const { firstKeptEntryId, summary } = outcome.value;
      return { firstKeptEntryId, summary, usage };
    } catch (error) {
      if (!signal.aborted) await this.#tell("failed", { reason: messageOf(error), usage });
      return this.#rest();
    }
  }

  /** Nothing to wait for: the next attempt is one of the next prompt. */
  #rest(): undefined {
    this.#isResting = true;
    return undefined;
  }

  /** What is recent by the time the trigger fires is to stay, so that now less of it counts as recent. */
  async #plan({ anchorId }: Job, projection: Projection): Promise<CompactionPlan> {
    const { session, run } = this.#options;
    const { size, systemPrompt, tools, estimator, context } = projection;
    const settings = run.settings();
    // The trigger may be far or already passed; a turn comes in between in any case.
    const growth = Math.max(settings.triggerTokens - size.tokens, newestTurnTokens(projection));
    const keepRecentTokens = Math.max(0, settings.keepRecentTokens - growth);
    const input = {
      path: await session.getBranch(anchorId),
      entries: context.entries,
      contextWindow: settings.contextWindow,
      settings: { ...settings, keepRecentTokens },
      tokensBefore: size.tokens,
      ...{ systemPrompt, tools, estimator },
    };
    const preparation = prepareCompaction(input);
    return { reason: "threshold", leafId: anchorId, projection, input, preparation };
  }

  /** Whether, at the trigger, old results shown shorter would free enough: then no summary will be needed. */
  #masksSuffice({ context, estimator }: Projection): boolean {
    const { triggerTokens, keepRecentTokens } = this.#options.run.settings();
    const { entries } = context;
    const contextTokens = triggerTokens + 1;
    return planMasking({ entries, contextTokens, triggerTokens, keepRecentTokens, estimator }).length > 0;
  }

  /** Whether the span still begins the branch as it was when the summary was begun. */
  async #fits({ anchorId }: Job): Promise<boolean> {
    const { session } = this.#options;
    const since = new Set<string>();
    const edits: AnyEntry[] = [];
    for (let id = session.getLeafId(); id !== anchorId; ) {
      const entry = id === null ? undefined : await session.getEntry(id);
      if (entry === undefined || entry.type === "compaction") return false;
      since.add(entry.id);
      if (entry.type === "context_edit") edits.push(entry);
      id = entry.parentId;
    }
    // A failed attempt that was hidden since is no edit of the span.
    return edits.every((entry) => isEntry(entry, "context_edit") && since.has(entry.targetId));
  }

  #tell(
    state: "started" | "ready" | "used" | "dropped" | "failed",
    more: { readonly reason?: string; readonly usage?: Usage },
  ): Promise<void> {
    return this.#options.events.emit({ type: "background_compaction", state, ...more });
  }
}

/** Size of the turn before the newest input, as a guess at the next one. */
function newestTurnTokens({ messages, estimator }: Projection): number {
  const end = messages.findLastIndex(({ role }) => role === "user");
  const start = messages.findLastIndex(({ role }, index) => role === "user" && index < end);
  if (start === -1) return 0;
  return messages.slice(start, end).reduce((sum, message) => sum + estimateTokens(message, estimator), 0);
}

async function settled<Value>(
  promise: Promise<Value>,
): Promise<{ readonly value: Value } | { readonly error: unknown }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}
