import type { AgentMessage } from "@coppice/agent";
import { addUsage, type Usage } from "@coppice/ai";
import type { Checkpoint, FileLists } from "@coppice/session";
import { MAX_CHUNKS } from "./chunk-conversation.ts";
import { CompactionError, isCompactionError } from "./errors.ts";
import { scriptEstimator } from "./estimate-text.ts";
import { extractSummary } from "./extract.ts";
import { fileBlocks } from "./file-blocks.ts";
import { oneLine } from "./file-operations.ts";
import { fitsOnPrefix, summariseOnPrefix } from "./on-prefix.ts";
import { pinnedSection } from "./pins.ts";
import type { CompactionPreparation } from "./prepare-compaction.ts";
import { changedDecisionsBlock, reversalsIn } from "./reversals/changed-decisions.ts";
import { type GeneratedSummary, generateSummary, generateTurnPrefixSummary } from "./summarise.ts";
import type { SummaryCallOptions } from "./summary-call.ts";
import { codeBlock, joinSections, withoutCodeBlocks } from "./summary-sections.ts";
import { summarySpans } from "./summary-spans.ts";

/** A compaction that is ready to be stored. */
export interface CompactionResult {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  /** Estimate of the next request. */
  readonly tokensAfter: number;
  /** The messages that stay verbatim; kept in memory only. */
  readonly retainedTail: readonly AgentMessage[];
  readonly details: FileLists;
  /** Of every model call made for it. */
  readonly usage: Usage | undefined;
  readonly shortenings: CompactionPreparation["shortenings"];
  readonly checkpoint: Checkpoint;
  /** True when no model wrote it: the deterministic extract. */
  readonly isExtract: boolean;
}

/** A summary may exceed what it replaces by this much only where shortened results free far more. */
const SMALL_SUMMARY_TOKENS = 1024;
/** Share of the summary's room that its file lists may take. */
const FILES_SHARE = 0.3;
/** Share of the summary's room, and of what it replaces, that quotes of changed decisions may take. */
const REVERSALS_SHARE = 0.1;
/** In small rooms they may take so much, up to a quarter: a few of them, at least. */
const LEAST_REVERSALS_TOKENS = 128;
/** Share of the summary's room that the model is told to aim at, so that code's own blocks fit as well. */
const TARGET_SHARE = 0.6;

/**
 * Summarises what a preparation wants gone. A split turn takes two calls, one after the other.
 *
 * Stores nothing. Throws `CompactionError`: the call failed, its answer is no good summary, or nothing would be gained.
 */
export async function compact(
  preparation: CompactionPreparation,
  options: SummaryCallOptions,
): Promise<CompactionResult> {
  const { maxSummaryTokens } = preparation.settings;
  const summary = await summarise(preparation, {
    ...(maxSummaryTokens === undefined ? {} : { maxSummaryTokens }),
    targetTokens: Math.floor(preparation.summaryBudgetTokens * TARGET_SHARE),
    ...(preparation.estimator === undefined ? {} : { estimator: preparation.estimator }),
    ...options,
  });
  return resultOf(preparation, { ...summary, isExtract: false });
}

/** The compaction without a model: quotes instead of a summary. Throws `summary_rejected` when nothing would be gained. */
export function compactByExtract(preparation: CompactionPreparation): CompactionResult {
  const { messagesToSummarize, turnPrefixMessages, previousSummary, estimator } = preparation;
  const blocks = appendedBlocks(preparation, "");
  const room = preparation.summaryBudgetTokens - (estimator ?? scriptEstimator).estimateText(blocks);
  const text = extractSummary({
    messages: [...messagesToSummarize, ...turnPrefixMessages],
    previousSummary,
    maxTokens: Math.max(0, Math.min(room, Math.floor(preparation.replacedTokens / 2))),
    estimator,
  });
  return resultOf(preparation, { text, usage: undefined, isExtract: true });
}

/**
 * The compaction with a summary that somebody wrote or edited; code adds its blocks as always, in place of those in it.
 *
 * Throws `summary_rejected` when the text is blank, too long, or nothing would be gained.
 */
export function compactWithText(preparation: CompactionPreparation, text: string): CompactionResult {
  if (withoutCodeBlocks(text) === "") {
    throw new CompactionError({
      code: "summary_rejected",
      message: "The summary is blank; write what the conversation was about.",
    });
  }
  return resultOf(preparation, { text, usage: undefined, isExtract: false });
}

/** `compact`, and where that fails for another reason than an abort, the extract; `failure` then says why. */
export async function compactOrExtract(
  preparation: CompactionPreparation,
  options: SummaryCallOptions,
): Promise<{ readonly result: CompactionResult; readonly failure: CompactionError | undefined }> {
  try {
    return { result: await compact(preparation, options), failure: undefined };
  } catch (error) {
    if (!isCompactionError(error) || error.code === "aborted") throw error;
    return { result: compactByExtract(preparation), failure: error };
  }
}

/** On the session's prefix where that is possible; serialised otherwise, or when the answer there is no summary. */
async function summarise(
  preparation: CompactionPreparation,
  options: SummaryCallOptions,
): Promise<GeneratedSummary> {
  const { sessionRequest } = options;
  if (sessionRequest === undefined || !fitsOnPrefix(preparation, options)) {
    return await summariseSerialised(preparation, options, MAX_CHUNKS);
  }
  try {
    return await summariseOnPrefix(preparation, { ...options, sessionRequest });
  } catch (error) {
    if (!isCompactionError(error) || error.code !== "summary_rejected") throw error;
  }
  return await summariseSerialised(preparation, options, MAX_CHUNKS - 1);
}

async function summariseSerialised(
  preparation: CompactionPreparation,
  options: SummaryCallOptions,
  maxCalls: number,
): Promise<GeneratedSummary> {
  const { history, turnPrefix } = summarySpans(preparation, maxCalls);
  const first = await generateSummary({ ...options, ...history });
  if (turnPrefix === undefined) return first;
  const second = await generateTurnPrefixSummary({ ...options, ...turnPrefix });
  return {
    text: `${first.text}\n\n---\n\n**The turn in progress**\n\n${second.text}`,
    usage:
      first.usage !== undefined && second.usage !== undefined
        ? addUsage(first.usage, second.usage)
        : (first.usage ?? second.usage),
  };
}

function resultOf(
  preparation: CompactionPreparation,
  generated: GeneratedSummary & { readonly isExtract: boolean },
): CompactionResult {
  // A model may copy the form of such blocks from an earlier summary: only code vouches for them.
  const text = withoutCodeBlocks(generated.text);
  const summary = joinSections(text, appendedBlocks(preparation, text));
  const summaryTokens = (preparation.estimator ?? scriptEstimator).estimateText(summary);
  checkGain(preparation, summaryTokens);
  return {
    summary,
    firstKeptEntryId: preparation.firstKeptEntryId,
    tokensBefore: preparation.tokensBefore,
    tokensAfter: preparation.overheadTokens + preparation.keptTokens + summaryTokens,
    retainedTail: preparation.retainedTail,
    details: preparation.fileOps,
    usage: generated.usage,
    shortenings: preparation.shortenings,
    checkpoint: preparation.checkpoint,
    isExtract: generated.isExtract,
  };
}

/** Throws where the summary is larger than what it replaces, or would start the next compaction at once. */
function checkGain(preparation: CompactionPreparation, summaryTokens: number): void {
  const { replacedTokens, summaryBudgetTokens, shortenings } = preparation;
  const isWorthIt =
    summaryTokens < replacedTokens || (shortenings.length > 0 && summaryTokens <= SMALL_SUMMARY_TOKENS);
  if (isWorthIt && summaryTokens <= summaryBudgetTokens) return;
  throw new CompactionError({
    code: "summary_rejected",
    message: isWorthIt
      ? `The summary takes ${summaryTokens} tokens where only ${summaryBudgetTokens} are free.`
      : `The summary takes ${summaryTokens} tokens and so frees nothing of the ${replacedTokens} it replaces.`,
    data: { summaryTokens, replacedTokens, summaryBudgetTokens },
  });
}

/** What code vouches for, whatever the model wrote: decisions that changed, the request in progress, an open failure, files, pins. */
function appendedBlocks(preparation: CompactionPreparation, text: string): string {
  const { newestRequest, lastFailure, recentFiles, recallHandles, fileOps, pins } = preparation;
  const { summaryBudgetTokens, estimator } = preparation;
  // Few files are all recent: the lists below say as much.
  const listed = fileOps.readFiles.length + fileOps.modifiedFiles.length;
  const recent = recentFiles.map(({ path, operation }) => `${operation}: ${oneLine(path)}`).join("\n");
  const failedCall = lastFailure?.split("\n", 1)[0]?.replace(/^\w+: /, "");
  const isMissing = failedCall !== undefined && !text.includes(failedCall);
  return joinSections(
    changedDecisions(preparation, text),
    newestRequest === undefined ? "" : codeBlock("newest-request", newestRequest),
    lastFailure !== undefined && isMissing ? codeBlock("last-failure", lastFailure) : "",
    recent === "" || listed <= recentFiles.length ? "" : codeBlock("recent-files", recent),
    recallHandles === undefined ? "" : codeBlock("recall-handles", recallHandles),
    fileBlocks(fileOps, {
      maxTokens: Math.floor(summaryBudgetTokens * FILES_SHARE),
      estimator: estimator ?? scriptEstimator,
    }),
    pinnedSection(pins),
  );
}

function changedDecisions(preparation: CompactionPreparation, text: string): string {
  const { messagesToSummarize, turnPrefixMessages, previousReversals, previousSummary } = preparation;
  const { summaryBudgetTokens, replacedTokens, estimator = scriptEstimator } = preparation;
  const room = Math.min(summaryBudgetTokens, replacedTokens);
  const maxTokens = Math.max(room * REVERSALS_SHARE, Math.min(room / 4, LEAST_REVERSALS_TOKENS));
  const reversals = reversalsIn([...messagesToSummarize, ...turnPrefixMessages], {
    reversals: previousReversals,
    summary: previousSummary,
  });
  return changedDecisionsBlock(reversals, { text, maxTokens, estimator });
}
