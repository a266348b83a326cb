import type { HookRunner } from "@coppice/agent";
import type { StreamFunction } from "@coppice/ai";
import {
  type CompactionPreparation,
  type CompactionResult,
  type CompactionSettingsInput,
  compactOrExtract,
  prepareCompaction,
  type ResolvedCompactionSettings,
  resolveCompactionSettings,
} from "@coppice/compaction";
import { type AnyEntry, isEntry, type SessionShape } from "@coppice/session";
import { completeWithRetry } from "./complete-with-retry.ts";
import type { ContextView, Projection } from "./context-view.ts";
import { CodingAgentError, messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { CompactionReason } from "./events.ts";
import type { ExtensionHost } from "./extension-host.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import { keptSpan } from "./kept-messages.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { RetrySettings } from "./retry-policy.ts";
import type { Sleep } from "./sleep.ts";
import { storeCompaction } from "./store-compaction.ts";
import { checkSuppliedCompaction, KEEP_NOTHING, type SuppliedCompaction } from "./supplied-compaction.ts";

export interface CompactionRunOptions {
  readonly session: SessionShape;
  readonly writes: PendingWrites;
  readonly view: ContextView;
  readonly choice: ModelChoice;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly extensions: ExtensionHost;
  readonly events: EventBus;
  readonly streamFunction: StreamFunction;
  readonly settings: CompactionSettingsInput;
  readonly retry: RetrySettings;
  readonly sleep: Sleep;
}

export interface CompactionRequest {
  readonly reason: CompactionReason;
  readonly instructions?: string | undefined;
  readonly signal: AbortSignal;
}

/** A compaction should free at least this share of the context. */
const WORTHWHILE_SHARE = 0.25;

/** Share of the context that stays when the settings would keep nearly all of it. */
const KEEP_LESS_SHARE = 0.25;

/** Everything one compaction is about, read once at its start. */
interface Attempt extends CompactionRequest {
  readonly path: readonly AnyEntry[];
  readonly leafId: string | null;
  readonly projection: Projection;
  readonly preparation: CompactionPreparation;
}

/** One compaction, whoever asked for it: prepare, ask hooks and extensions, summarise, store. */
export class CompactionRun {
  readonly #options: CompactionRunOptions;

  constructor(options: CompactionRunOptions) {
    this.#options = options;
  }

  /** The settings for the chosen model. */
  settings(): ResolvedCompactionSettings {
    const { settings, choice } = this.#options;
    const { model } = choice;
    return resolveCompactionSettings({ settings, model, contextWindow: model.contextWindow });
  }

  /**
   * Compacts. The session changes in one write at the end, or not at all.
   *
   * Throws `nothing_to_compact` before any event, later `compaction_cancelled`, `invalid_compaction`, `write_failed` or
   * the compaction's own error; each of these ends in `compaction_end` with its message.
   */
  async run(request: CompactionRequest): Promise<CompactionResult> {
    const { events, hooks } = this.#options;
    const { reason, signal } = request;
    const attempt = await this.#prepare(request);
    await events.emit({ type: "compaction_start", reason });
    try {
      const result = await this.#compact(attempt);
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

  async #prepare(request: CompactionRequest): Promise<Attempt> {
    const { writes, session, view } = this.#options;
    await writes.flushOrThrow();
    const leafId = session.getLeafId();
    const path = await session.getBranch();
    const projection = await view.project();
    const preparation = this.#preparation(request.reason, path, projection);
    if (preparation === undefined) {
      throw new CodingAgentError({
        code: "nothing_to_compact",
        message:
          projection.messages.length === 0
            ? "There is nothing to compact: the conversation is empty."
            : "There is nothing to compact: everything that is there is recent enough to stay.",
      });
    }
    return { ...request, path, leafId, projection, preparation };
  }

  /**
   * What would be cut. By the settings when the trigger fired; after an overflow the estimate was too low, and by hand
   * something must go: then less is kept where the settings would free next to nothing.
   */
  #preparation(
    reason: CompactionReason,
    path: readonly AnyEntry[],
    { size, systemPrompt, tools }: Projection,
  ): CompactionPreparation | undefined {
    const settings = this.settings();
    const { contextWindow } = settings;
    const shared = { path, contextWindow, tokensBefore: size.tokens, systemPrompt, tools };
    const bySettings = prepareCompaction({ ...shared, settings });
    const freed = bySettings?.replacedTokens ?? 0;
    if (reason === "threshold" || freed >= size.tokens * WORTHWHILE_SHARE) return bySettings;
    const keepRecentTokens = Math.min(settings.keepRecentTokens, Math.floor(size.tokens * KEEP_LESS_SHARE));
    const keepingLess = prepareCompaction({
      ...shared,
      settings: { ...settings, keepRecentTokens, minTurnsToKeep: 0 },
    });
    return keepingLess ?? bySettings;
  }

  async #compact(attempt: Attempt): Promise<CompactionResult> {
    const { hooks, session, events } = this.#options;
    const { signal, reason, leafId, projection } = attempt;
    const supplied = await this.#supplied(attempt);
    const result = supplied === undefined ? await this.#summarise(attempt) : resultOf(supplied, attempt);
    signal.throwIfAborted();
    const entryId = await storeCompaction({
      session,
      result,
      supplied,
      systemMessage: projection.context.systemMessage,
      leafId,
    });
    const entry = await session.getEntry(entryId);
    await events.emit({ type: "entry_appended", entryId, entryType: "compaction" });
    if (entry !== undefined && isEntry(entry, "compaction")) {
      await hooks.run("session_compact", { reason, entry, fromHook: supplied !== undefined }, signal);
    }
    return result;
  }

  /** What a hook or an extension supplies, checked. Throws `compaction_cancelled` when a hook cancels. */
  async #supplied(attempt: Attempt): Promise<SuppliedCompaction | undefined> {
    const { hooks, extensions } = this.#options;
    const { reason, preparation, path, projection, instructions, signal } = attempt;
    const answer = await hooks.run(
      "session_before_compact",
      { reason, preparation, path, instructions },
      signal,
    );
    if (answer?.cancel === true) {
      throw new CodingAgentError({
        code: "compaction_cancelled",
        message: "An extension cancelled the compaction.",
      });
    }
    let supplied = answer?.compaction;
    if (supplied === undefined) {
      const { messages, context } = projection;
      const other = await extensions.compaction({ reason, messages, preparation, instructions }, signal);
      if (other === undefined) return undefined;
      const { keptMessages, ...fields } = other.answer;
      const { firstKeptEntryId, hiddenEntryIds } = keptSpan(context.entries, keptMessages);
      supplied = { ...fields, firstKeptEntryId: firstKeptEntryId ?? KEEP_NOTHING, hiddenEntryIds };
    }
    checkSuppliedCompaction(supplied, path);
    return supplied;
  }

  /** The model's summary, or the deterministic extract where no good one can be had. */
  async #summarise({ preparation, instructions, signal }: Attempt): Promise<CompactionResult> {
    const { choice, streamFunction, retry: settings, sleep, events } = this.#options;
    const { result, failure } = await compactOrExtract(preparation, {
      complete: completeWithRetry({ streamFunction, settings, sleep, signal }),
      model: choice.model,
      thinkingLevel: choice.thinkingLevel,
      ...(instructions === undefined ? {} : { customInstructions: instructions }),
      signal,
    });
    if (failure !== undefined) {
      const message = `No summary could be made (${failure.message}); an extract of the conversation stands in for it.`;
      await events.report(message);
    }
    return result;
  }
}

function resultOf(supplied: SuppliedCompaction, { preparation }: Attempt): CompactionResult {
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
