import type { Usage } from "@coppice/ai";
import {
  type CompactionPreview,
  type CompactionResult,
  compactWithText,
  previewCompaction,
  withoutPinnedSection,
} from "@coppice/compaction";
import type { Session } from "@coppice/session";
import type { CompactionMaker, MadeCompaction } from "../compaction-maker.ts";
import { type CompactionPlan, nothingToCompact } from "../compaction-plan.ts";
import type { CompactionRun } from "../compaction-run.ts";
import { CodingAgentError } from "../errors.ts";
import { endingWithPins } from "../pinned-summary.ts";
import type { SummaryCalls } from "../summary-calls.ts";
import { type DraftEntry, draftEntries } from "./draft-entries.ts";
import { recordSummaryUsage } from "./record-summary-usage.ts";

/** What a compaction now would do and cost; no model was asked. */
export interface CompactionOutlook {
  readonly preview: CompactionPreview;
  readonly goes: readonly DraftEntry[];
  readonly stays: readonly DraftEntry[];
}

/** A compaction that is ready to be looked at, edited and stored. */
export interface CompactionDraft {
  /** For `compact({ draft })`; the newest draft counts. */
  readonly id: string;
  readonly summary: string;
  readonly goes: readonly DraftEntry[];
  readonly stays: readonly DraftEntry[];
  /** Kept results that it would show shorter. */
  readonly shortened: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Of the calls that made it: paid whether it is stored or not. */
  readonly usage: Usage | undefined;
}

/** Which draft to store, and the summary to store in place of its own. */
export interface DraftChoice {
  readonly id: string;
  readonly summary?: string;
}

export interface CompactionDraftsOptions {
  readonly session: Session;
  readonly run: CompactionRun;
  readonly maker: CompactionMaker;
  readonly calls: SummaryCalls;
}

interface Kept {
  readonly id: string;
  readonly plan: CompactionPlan;
  readonly made: MadeCompaction;
}

/** Compactions that are looked at first. Nothing is stored but what a draft cost, until one is taken. */
export class CompactionDrafts {
  readonly #options: CompactionDraftsOptions;
  #count = 0;
  #last: Kept | undefined;

  constructor(options: CompactionDraftsOptions) {
    this.#options = options;
  }

  /** Throws `nothing_to_compact`, and the compaction's error where none can help. */
  async preview(signal: AbortSignal): Promise<CompactionOutlook> {
    const { run, calls } = this.#options;
    const plan = await run.plan("manual");
    if (plan.preparation === undefined) throw nothingToCompact(plan.projection);
    const preview = previewCompaction(plan.preparation, await calls.for(plan, { signal }));
    return { preview, ...draftEntries(plan, preview.firstKeptEntryId) };
  }

  /** Asks hooks, extensions and the model for a summary. Throws as a compaction does. */
  async draft(instructions: string | undefined, signal: AbortSignal): Promise<CompactionDraft> {
    const { run, maker, calls, session } = this.#options;
    const plan = await run.plan("manual");
    if (plan.preparation === undefined) throw nothingToCompact(plan.projection);
    const made = await maker.make(plan, { instructions, signal });
    const { result } = made;
    await recordSummaryUsage(session, await calls.modelFor(plan), result.usage);
    const id = `draft-${++this.#count}`;
    this.#last = { id, plan, made: { ...made, isPaid: true } };
    return {
      id,
      summary: result.summary,
      ...draftEntries(plan, result.firstKeptEntryId),
      shortened: result.shortenings.length,
      tokensBefore: result.tokensBefore,
      tokensAfter: result.tokensAfter,
      usage: result.usage,
    };
  }

  /**
   * Stores a draft. Throws `draft_stale` for one that is not the newest or whose session went on, `summary_rejected` for
   * an edited summary that frees nothing.
   */
  async store({ id, summary }: DraftChoice, signal: AbortSignal): Promise<CompactionResult> {
    const { session, run } = this.#options;
    const last = this.#last;
    if (last === undefined || last.id !== id || session.getLeafId() !== last.plan.leafId) {
      throw new CodingAgentError({
        code: "draft_stale",
        message: `The draft "${id}" no longer fits: the session went on, or a newer draft was made.`,
      });
    }
    const made = summary === undefined ? last.made : edited(last, summary);
    return run.told({ reason: "manual", signal }, async () => {
      await run.keep(last.plan, made, signal);
      this.#last = undefined;
      return made.result;
    });
  }
}

/** With what a person wrote; the blocks that code vouches for are set behind it anew. */
function edited({ plan, made }: Kept, summary: string): MadeCompaction {
  const { result, fromHook, isMasking } = made;
  if ((fromHook && !isMasking) || plan.preparation === undefined) {
    const pinned = endingWithPins(withoutPinnedSection(summary), plan.preparation?.pins ?? []);
    return { ...made, result: { ...result, summary: pinned } };
  }
  const own = { ...compactWithText(plan.preparation, summary), usage: result.usage };
  return { ...made, result: own, isMasking: false, fromHook: false };
}
