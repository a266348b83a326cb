import type { HookRunner } from "@coppice/agent";
import {
  type CompactionResult,
  type CompactionStrategy,
  extractStrategy,
  type ShrunkContext,
  shrinkContext,
  summarizeStrategy,
} from "@coppice/compaction";
import type { CompactionPlan } from "./compaction-plan.ts";
import { nothingToCompact } from "./compaction-plan.ts";
import { contributedStrategy } from "./contributed-strategy.ts";
import type { EventBus } from "./event-bus.ts";
import type { ExtensionHost } from "./extension-host.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import { maskedResult } from "./masked-result.ts";
import { vouchedFor } from "./pinned-summary.ts";
import { redactSecrets } from "./secrets/redactor.ts";
import type { SummaryCalls } from "./summary-calls.ts";
import type { SuppliedCompaction } from "./supplied-compaction.ts";
import { suppliedStrategy } from "./supplied-strategy.ts";

/** Name of the strategy that hands out what was prepared in the background. */
export const PREPARED_STRATEGY = "prepared";

export interface CompactionMakerOptions {
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly extensions: ExtensionHost;
  readonly events: EventBus;
  readonly calls: SummaryCalls;
}

export interface MakeOptions {
  readonly instructions?: string | undefined;
  readonly signal: AbortSignal;
  /** Asked before the model: a summary that is there already. */
  readonly prepared?: CompactionStrategy | undefined;
}

/** A compaction that is ready to be stored. */
export interface MadeCompaction {
  readonly result: CompactionResult;
  /** True where a strategy only shows results shorter: edits are all that is stored. */
  readonly isMasking: boolean;
  /** What a hook or an extension answered, if one did. */
  readonly supplied: SuppliedCompaction | undefined;
  /** True when an extension made it. */
  readonly fromHook: boolean;
  /** True when its model calls are in the session's totals already. */
  readonly isPaid: boolean;
}

/** Makes compactions out of plans: hooks first, then extensions, what is prepared, the model, and an extract at last. */
export class CompactionMaker {
  readonly #options: CompactionMakerOptions;

  constructor(options: CompactionMakerOptions) {
    this.#options = options;
  }

  /**
   * Stores nothing. Throws `nothing_to_compact`, `compaction_cancelled`, `invalid_compaction` or the compaction's own
   * error.
   */
  async make(plan: CompactionPlan, { instructions, signal, prepared }: MakeOptions): Promise<MadeCompaction> {
    const { hooks, extensions, calls } = this.#options;
    const supplied = suppliedStrategy({ plan, hooks, extensions, instructions, signal });
    const own: readonly CompactionStrategy[] = [
      ...(prepared === undefined ? [] : [prepared]),
      ...(calls.mayAsk ? [summarizeStrategy] : []),
      extractStrategy,
    ];
    const shrunk = await shrinkContext({
      ...plan.input,
      call: await calls.for(plan, { instructions, signal }),
      strategies: [
        supplied,
        ...extensions.strategies.map((strategy) => contributedStrategy(strategy, signal)),
        ...own,
      ],
    });
    await this.#reportFailures(shrunk);
    signal.throwIfAborted();
    const { outcome } = shrunk;
    if (outcome === undefined) throw nothingToCompact(plan.projection);
    const isMasking = outcome.type === "mask";
    const result = isMasking
      ? maskedResult(plan, outcome.shortenings)
      : vouchedFor(outcome.result, plan.preparation);
    return {
      // Whoever made the summary: it goes to every later request, and to another provider after a change of model.
      result: { ...result, summary: redactSecrets(result.summary) },
      isMasking,
      supplied: supplied.supplied,
      fromHook: !own.some(({ name }) => name === shrunk.strategy),
      isPaid: prepared !== undefined && shrunk.strategy === prepared.name,
    };
  }

  async #reportFailures({ failures, strategy, outcome }: ShrunkContext): Promise<void> {
    const { calls, events } = this.#options;
    for (const { strategy: name, error } of failures) {
      // What was prepared may no longer fit: that is no news.
      if (name === PREPARED_STRATEGY) continue;
      if (name !== summarizeStrategy.name) {
        await events.report(`The strategy "${name}" is passed over: ${error.message}`);
        continue;
      }
      calls.failed(error);
      if (outcome === undefined) continue;
      const instead =
        strategy === extractStrategy.name ? "an extract of the conversation" : `"${strategy ?? ""}"`;
      await events.report(`No summary could be made (${error.message}); ${instead} stands in for it.`);
    }
  }
}
