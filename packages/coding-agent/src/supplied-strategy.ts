import type { HookRunner } from "@coppice/agent";
import {
  type CompactionPreparation,
  type CompactionResult,
  type CompactionStrategy,
  freshInput,
} from "@coppice/compaction";
import type { CompactionPlan } from "./compaction-plan.ts";
import { CodingAgentError } from "./errors.ts";
import type { ExtensionHost } from "./extension-host.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import { keptSpan } from "./kept-messages.ts";
import { checkSuppliedCompaction, KEEP_NOTHING, type SuppliedCompaction } from "./supplied-compaction.ts";

export interface SuppliedStrategyOptions {
  readonly plan: CompactionPlan;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly extensions: ExtensionHost;
  readonly instructions: string | undefined;
  readonly signal: AbortSignal;
}

/** What hooks and extensions supplied, as the first rung of the ladder; `supplied` is set once one answered. */
export interface SuppliedStrategy extends CompactionStrategy {
  readonly supplied: SuppliedCompaction | undefined;
}

/** Asks `session_before_compact`, then every `onCompaction`. Throws `compaction_cancelled` and `invalid_compaction`. */
export function suppliedStrategy(options: SuppliedStrategyOptions): SuppliedStrategy {
  let supplied: SuppliedCompaction | undefined;
  return {
    name: "supplied",
    get supplied() {
      return supplied;
    },
    async shrink({ preparation }) {
      if (preparation === undefined) return undefined;
      supplied = (await fromHook(options, preparation)) ?? (await fromExtension(options, preparation));
      if (supplied === undefined) return undefined;
      checkSuppliedCompaction(supplied, options.plan.input.path);
      supplied = withoutFreshInput(supplied, options.plan);
      return { type: "compaction", result: resultOf(supplied, preparation) };
    },
  };
}

async function fromHook(
  { hooks, plan, instructions, signal }: SuppliedStrategyOptions,
  preparation: CompactionPreparation,
): Promise<SuppliedCompaction | undefined> {
  const { reason, input } = plan;
  const question = { reason, preparation, path: input.path, instructions };
  const answer = await hooks.run("session_before_compact", question, signal);
  if (answer?.cancel !== true) return answer?.compaction;
  throw new CodingAgentError({
    code: "compaction_cancelled",
    message: "An extension cancelled the compaction.",
  });
}

async function fromExtension(
  { extensions, plan, instructions, signal }: SuppliedStrategyOptions,
  preparation: CompactionPreparation,
): Promise<SuppliedCompaction | undefined> {
  const { messages, context } = plan.projection;
  const other = await extensions.compaction(
    { reason: plan.reason, messages, preparation, instructions },
    signal,
  );
  if (other === undefined) return undefined;
  const { keptMessages, ...fields } = other.answer;
  const { firstKeptEntryId, hiddenEntryIds } = keptSpan(context.entries, keptMessages);
  return { ...fields, firstKeptEntryId: firstKeptEntryId ?? KEEP_NOTHING, hiddenEntryIds };
}

/** Hides nothing that nobody has answered yet. */
function withoutFreshInput(supplied: SuppliedCompaction, { projection }: CompactionPlan): SuppliedCompaction {
  if (supplied.hiddenEntryIds === undefined) return supplied;
  const fresh = new Set(freshInput(projection.context.entries).map(({ entry }) => entry.id));
  return { ...supplied, hiddenEntryIds: supplied.hiddenEntryIds.filter((id) => !fresh.has(id)) };
}

function resultOf(supplied: SuppliedCompaction, preparation: CompactionPreparation): CompactionResult {
  return {
    summary: supplied.summary,
    firstKeptEntryId: supplied.firstKeptEntryId ?? preparation.firstKeptEntryId,
    tokensBefore: preparation.tokensBefore,
    tokensAfter: preparation.tokensAfterEstimate,
    retainedTail: preparation.retainedTail,
    details: preparation.fileOps,
    usage: supplied.usage,
    shortenings: supplied.firstKeptEntryId === undefined ? preparation.shortenings : [],
    checkpoint: preparation.checkpoint,
    isExtract: false,
  };
}
