import type { AgentMessage } from "@coppice/agent";
import type { ToolSpec } from "@coppice/ai";
import {
  type AnyEntry,
  buildContextEntries,
  type Checkpoint,
  type ContextEntry,
  ENTRY_RULES,
  type FileLists,
} from "@coppice/session";
import { checkpointOf, entriesOfState } from "./checkpoint.ts";
import { roomBelowTrigger, roomInWindow } from "./compaction-room.ts";
import { type CutPoint, cutPointAt, findCutPoint } from "./cut-point.ts";
import { CompactionError } from "./errors.ts";
import { estimateTokens } from "./estimate.ts";
import type { TokenEstimator } from "./estimate-text.ts";
import { filesTouched, mergeFileLists, recentFilesOf, summarisedFiles } from "./file-operations.ts";
import { messagesOf } from "./messages-of.ts";
import { newestRequestOf } from "./newest-request.ts";
import { activePins, type Pin } from "./pins.ts";
import { rememberingLast } from "./plan-memo.ts";
import { recallHandlesOf } from "./recall-handles.ts";
import { carriedReversals } from "./reversals/changed-decisions.ts";
import { type CompactionSettings, usableWindow } from "./settings.ts";
import { type Shortening, shortenKept } from "./shorten-kept.ts";
import { summarisedHistory } from "./summarised-history.ts";
import { codeBlockOf, withoutCodeBlocks } from "./summary-sections.ts";
import { unresolvedFailure } from "./unresolved-failure.ts";

export interface PrepareCompactionInput {
  /** Root → position. */
  readonly path: readonly AnyEntry[];
  /** Its projection, where the host has it already or projects entries of its own; default: built from `path`. */
  readonly entries?: readonly ContextEntry[];
  readonly contextWindow: number;
  /** Resolved for the model of the next request. */
  readonly settings: CompactionSettings;
  /** Size of the context, from `estimateContextTokens`. */
  readonly tokensBefore: number;
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
  /** The session's name, for the checkpoint: name entries are no part of the path. */
  readonly sessionName?: string;
  /** True when the model can call the `recall` tool: only then summaries and shortened results name handles for it. */
  readonly isRecallActive?: boolean;
  readonly estimator?: TokenEstimator;
  /** Cuts there and nowhere else, for a summary that was prepared when the path was shorter. */
  readonly firstKeptEntryId?: string;
}

/** What a compaction would do: pure data, computed without a model. */
export interface CompactionPreparation {
  readonly firstKeptEntryId: string;
  /** Input to the history summary; starts at the previous kept boundary, previous summary aside. */
  readonly messagesToSummarize: readonly AgentMessage[];
  /** The beginning of a turn that the cut splits. */
  readonly turnPrefixMessages: readonly AgentMessage[];
  readonly retainedTail: readonly AgentMessage[];
  readonly isSplitTurn: boolean;
  readonly tokensBefore: number;
  /** Estimate of the next request, the summary counted with its allowance. */
  readonly tokensAfterEstimate: number;
  /** The summary to update, without the blocks that code appended to it. */
  readonly previousSummary: string | undefined;
  /** What the user took back in the history of that summary, as it quotes it, oldest first. */
  readonly previousReversals: readonly string[];
  /** Files of the summarised range and of every summary before it. */
  readonly fileOps: FileLists;
  /** Oversized kept tool results: entry id → shortened text, to be written as context_edit entries. */
  readonly shortenings: readonly Shortening[];
  readonly checkpoint: Checkpoint;
  readonly settings: CompactionSettings;
  /** What the user asked for in the turn that the cut splits, verbatim where it is not very long. */
  readonly newestRequest: string | undefined;
  /** The newest failed call that nothing made good. */
  readonly lastFailure: string | undefined;
  /** The files that the summarised range touched last, newest first. */
  readonly recentFiles: ReturnType<typeof recentFilesOf>;
  /** Where the originals stand, for the `recall` tool; undefined where that is not active. */
  readonly recallHandles: string | undefined;
  /** Rules that end every summary word for word. */
  readonly pins: readonly Pin[];
  /** Estimates, all by the same estimator: what the summary replaces, what stays, and what is sent beside messages. */
  readonly replacedTokens: number;
  readonly keptTokens: number;
  readonly overheadTokens: number;
  /** Most that the summary may take: the next request then stays below the trigger, or in the window where it cannot. */
  readonly summaryBudgetTokens: number;
  readonly estimator: TokenEstimator | undefined;
}

/** Whole turns may take at most this share of the room for kept history: a compaction must free something. */
const WHOLE_TURNS_SHARE = 0.6;
/** No summary worth having is shorter. */
const LEAST_SUMMARY_TOKENS = 64;

/**
 * Plans a compaction; undefined when there is nothing to summarise. The last plan of a session is remembered.
 *
 * Throws `CompactionError` where no compaction can help: `window_too_small` (system prompt and tools alone fill the
 * window), `input_too_large` (what must stay verbatim does not fit).
 */
export function prepareCompaction(input: PrepareCompactionInput): CompactionPreparation | undefined {
  return planOnce(input);
}

const planOnce = rememberingLast(plan);

function plan(input: PrepareCompactionInput): CompactionPreparation | undefined {
  const entries = input.entries ?? buildContextEntries(input.path).entries;
  const room = roomBelowTrigger(input) ?? roomInWindow(input);
  if (isJustCompacted(input.path) && input.tokensBefore <= room.limit) return undefined;
  if (input.firstKeptEntryId !== undefined) {
    const given = cutPointAt(entries, input.firstKeptEntryId, input.estimator);
    return given && planFrom(input, entries, given);
  }
  const cut = findCutPoint({
    entries,
    keepRecentTokens: Math.min(input.settings.keepRecentTokens, room.kept),
    minTurnsToKeep: input.settings.minTurnsToKeep,
    maxKeepTokens: Math.min(input.settings.keepRecentTokens * 2, Math.floor(room.kept * WHOLE_TURNS_SHARE)),
    ...(input.estimator === undefined ? {} : { estimator: input.estimator }),
  });
  if (cut !== undefined) return planFrom(input, entries, cut);
  // Nothing can be put away: that is fine while it fits, and hopeless otherwise.
  fitKept(input, entries);
  return undefined;
}

/** True when nothing that the model sees follows the latest compaction. */
function isJustCompacted(path: readonly AnyEntry[]): boolean {
  return path.findLast((entry) => REACHING.has(entry.type))?.type === "compaction";
}

const REACHING: ReadonlySet<string> = new Set(
  Object.entries(ENTRY_RULES).flatMap(([type, rule]) => (rule.reachesModel ? [type] : [])),
);

function planFrom(
  input: PrepareCompactionInput,
  entries: readonly ContextEntry[],
  { cutIndex, firstKeptEntryId, isSplitTurn, ...size }: CutPoint,
): CompactionPreparation {
  const { estimator, settings, tokensBefore } = input;
  const retainedTail = messagesOf(entries, cutIndex);
  const { room, shortenings, keptTokens } = fitKept(input, entries.slice(cutIndex));
  const summaryBudgetTokens = room.limit - room.overhead - keptTokens;
  const { touches, hasFailure, ...spans } = summarisedHistory(entries, cutIndex, isSplitTurn);
  const summarised = [...spans.messagesToSummarize, ...spans.turnPrefixMessages];
  const previous = previousSummaryOf(entries);
  const openFailure = previous && codeBlockOf(previous, "last-failure");
  const asides = entriesOfState(input.path);
  const pins = activePins(asides);
  const fileOps = mergeFileLists(filesBefore(input.path, firstKeptEntryId, asides), filesTouched(touches));
  const maxTokens = Math.floor(Math.min(room.allowance, summaryBudgetTokens) / 2);
  return {
    ...spans,
    firstKeptEntryId,
    retainedTail,
    isSplitTurn,
    tokensBefore,
    tokensAfterEstimate: room.overhead + keptTokens + Math.min(room.allowance, summaryBudgetTokens),
    previousSummary: previous === undefined ? undefined : withoutCodeBlocks(previous),
    previousReversals: previous === undefined ? [] : carriedReversals(previous),
    fileOps,
    shortenings,
    checkpoint: checkpointOf({ ...input, path: asides }, { files: fileOps, pins }),
    settings,
    newestRequest: isSplitTurn
      ? newestRequestOf({ summarised, kept: retainedTail, previousSummary: previous, maxTokens, estimator })
      : undefined,
    lastFailure:
      hasFailure || openFailure !== undefined ? unresolvedFailure(summarised, openFailure) : undefined,
    recentFiles: recentFilesOf(touches, settings.preserveRecentFiles),
    recallHandles:
      input.isRecallActive === true ? recallHandlesOf(entries.slice(0, cutIndex), previous) : undefined,
    pins,
    replacedTokens: size.tokensBefore - size.tokensAfter,
    keptTokens,
    overheadTokens: room.overhead,
    summaryBudgetTokens,
    estimator,
  };
}

/**
 * Shortens kept results until the next request stays below the trigger, or, where that is out of reach, in the window.
 *
 * Throws `input_too_large` where it does not even fit the window.
 */
function fitKept(input: PrepareCompactionInput, entries: readonly ContextEntry[]) {
  const { estimator, isRecallActive = false } = input;
  const options = { isRecallActive, ...(estimator === undefined ? {} : { estimator }) };
  for (const room of [roomBelowTrigger(input), roomInWindow(input)]) {
    if (room === undefined) continue;
    const { shortenings, tokens } = shortenKept({ entries, maxTokens: room.kept, ...options });
    const left = room.limit - room.overhead - tokens;
    if (left >= LEAST_SUMMARY_TOKENS) return { room, shortenings, keptTokens: tokens };
  }
  const keptTokens = messagesOf(entries).reduce(
    (sum, message) => sum + estimateTokens(message, input.estimator),
    0,
  );
  throw new CompactionError({
    code: "input_too_large",
    message: `What must stay verbatim takes about ${keptTokens} tokens: with system prompt and tools that does not fit a window of ${usableWindow(input.contextWindow)}.`,
    data: { keptTokens, contextWindow: input.contextWindow },
  });
}

/**
 * Files that summaries before the boundary vouch for; a compaction behind it in the file speaks of what is before it too.
 * Of `asides` only summaries count.
 */
function filesBefore(
  path: readonly AnyEntry[],
  firstKeptEntryId: string,
  asides: readonly AnyEntry[],
): FileLists {
  if (asides.length === 0) return summarisedFiles([]);
  const kept = new Set(path.slice(path.findLastIndex(({ id }) => id === firstKeptEntryId)));
  return summarisedFiles(asides.filter((entry) => entry.type === "compaction" || !kept.has(entry)));
}

function previousSummaryOf(entries: readonly ContextEntry[]): string | undefined {
  const first = entries[0]?.messages[0];
  return first?.role === "compactionSummary" ? first.summary : undefined;
}
