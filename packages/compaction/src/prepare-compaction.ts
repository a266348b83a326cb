import type { AgentMessage } from "@coppice/agent";
import { type ToolSpec, textOf } from "@coppice/ai";
import {
  type AnyEntry,
  buildContextEntries,
  type Checkpoint,
  type ContextEntry,
  ENTRY_RULES,
  type FileLists,
} from "@coppice/session";
import { checkpointOf } from "./checkpoint.ts";
import { clipMiddle } from "./clip-text.ts";
import { findCutPoint } from "./cut-point.ts";
import { CompactionError } from "./errors.ts";
import { estimateOverheadTokens, estimateTokens } from "./estimate.ts";
import type { TokenEstimator } from "./estimate-text.ts";
import { fileOperationsOf, mergeFileLists, recentFilesOf, summarisedFiles } from "./file-operations.ts";
import { activePins, type Pin } from "./pins.ts";
import { type CompactionSettings, triggerTokensOf, usableWindow } from "./settings.ts";
import { type Shortening, shortenKept } from "./shorten-kept.ts";
import { codeBlockOf, withoutCodeBlocks } from "./summary-sections.ts";
import { beginsTurn } from "./turns.ts";
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
  readonly estimator?: TokenEstimator;
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
  /** Rules that end every summary word for word. */
  readonly pins: readonly Pin[];
  /** Estimates, all by the same estimator: what the summary replaces, what stays, and what is sent beside messages. */
  readonly replacedTokens: number;
  readonly keptTokens: number;
  readonly overheadTokens: number;
  /** Most that the summary may take so that the next request stays at or below the trigger. */
  readonly summaryBudgetTokens: number;
  readonly estimator: TokenEstimator | undefined;
}

/** Share of the trigger set aside for the summary while the cut is chosen. */
const SUMMARY_SHARE = 0.15;
/** Most that is set aside for it on large windows. */
const SUMMARY_ALLOWANCE_TOKENS = 4096;
/** Whole turns may take at most this share of the room for kept history: a compaction must free something. */
const WHOLE_TURNS_SHARE = 0.6;
/** No summary worth having is shorter. */
const LEAST_SUMMARY_TOKENS = 64;

/**
 * Plans a compaction; undefined when there is nothing to summarise.
 *
 * Throws `CompactionError` where no compaction can help: `window_too_small` (system prompt and tools alone fill the
 * window), `input_too_large` (what must stay verbatim does not fit).
 */
export function prepareCompaction(input: PrepareCompactionInput): CompactionPreparation | undefined {
  const entries = input.entries ?? buildContextEntries(input.path).entries;
  const room = roomOf(input);
  if (isJustCompacted(input.path) && input.tokensBefore <= room.trigger) return undefined;
  const cut = findCutPoint({
    entries,
    keepRecentTokens: Math.min(input.settings.keepRecentTokens, room.kept),
    minTurnsToKeep: input.settings.minTurnsToKeep,
    maxKeepTokens: Math.min(input.settings.keepRecentTokens * 2, Math.floor(room.kept * WHOLE_TURNS_SHARE)),
    ...(input.estimator === undefined ? {} : { estimator: input.estimator }),
  });
  if (cut === undefined) return undefined;
  return planFrom(input, entries, cut.cutIndex, room);
}

interface Room {
  readonly overhead: number;
  readonly trigger: number;
  /** For the summary, while the cut is chosen. */
  readonly allowance: number;
  /** For kept history. */
  readonly kept: number;
}

function roomOf(input: PrepareCompactionInput): Room {
  const overhead = estimateOverheadTokens(input);
  const trigger = triggerTokensOf(input);
  const allowance = Math.min(
    SUMMARY_ALLOWANCE_TOKENS,
    input.settings.maxSummaryTokens ?? SUMMARY_ALLOWANCE_TOKENS,
    Math.floor(trigger * SUMMARY_SHARE),
  );
  const kept = trigger - overhead - allowance;
  if (kept > 0) return { overhead, trigger, allowance, kept };
  throw new CompactionError({
    code: "window_too_small",
    message: `System prompt and tools take about ${overhead} tokens of a window of ${usableWindow(input.contextWindow)}: it is too small for this prompt.`,
    data: { overhead, trigger },
  });
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
  cutIndex: number,
  room: Room,
): CompactionPreparation | undefined {
  const { estimator, settings } = input;
  const keptEntries = entries.slice(cutIndex);
  const firstKept = keptEntries[0];
  if (firstKept === undefined) return undefined;
  const shortened = shortenKept({
    entries: keptEntries,
    maxTokens: room.kept,
    ...(estimator === undefined ? {} : { estimator }),
  });
  const summaryBudgetTokens = room.trigger - room.overhead - shortened.tokens;
  if (summaryBudgetTokens < LEAST_SUMMARY_TOKENS) throw tooLarge(input, shortened.tokens, room);
  const { history, prefix, isSplitTurn } = spansOf(entries, cutIndex);
  const previous = previousSummaryOf(entries);
  const pins = activePins(input.path);
  const fileOps = mergeFileLists(
    summarisedFiles(
      input.path.slice(
        0,
        input.path.findIndex(({ id }) => id === firstKept.entry.id),
      ),
    ),
    summarisedFiles(input.path.filter((entry) => entry.type === "compaction")),
    fileOperationsOf([...history, ...prefix]),
  );
  return {
    firstKeptEntryId: firstKept.entry.id,
    messagesToSummarize: history,
    turnPrefixMessages: prefix,
    retainedTail: keptEntries.flatMap(({ messages }) => messages),
    isSplitTurn,
    tokensBefore: input.tokensBefore,
    tokensAfterEstimate: room.overhead + shortened.tokens + Math.min(room.allowance, summaryBudgetTokens),
    previousSummary: previous === undefined ? undefined : withoutCodeBlocks(previous),
    fileOps,
    shortenings: shortened.shortenings,
    checkpoint: checkpointOf(input, { files: fileOps, pins }),
    settings,
    newestRequest:
      isSplitTurn && !hasLaterTurn(keptEntries)
        ? newestRequestOf(entries.slice(0, cutIndex), previous, room.allowance)
        : undefined,
    lastFailure: unresolvedFailure(
      [...history, ...prefix],
      previous && codeBlockOf(previous, "last-failure"),
    ),
    recentFiles: recentFilesOf([...history, ...prefix], settings.preserveRecentFiles),
    pins,
    replacedTokens: tokensOf(entries.slice(0, cutIndex), estimator),
    keptTokens: shortened.tokens,
    overheadTokens: room.overhead,
    summaryBudgetTokens,
    estimator,
  };
}

/** The summarised messages, parted at the beginning of the turn that the cut splits. The previous summary is in neither. */
function spansOf(
  entries: readonly ContextEntry[],
  cutIndex: number,
): {
  readonly history: readonly AgentMessage[];
  readonly prefix: readonly AgentMessage[];
  readonly isSplitTurn: boolean;
} {
  const summarised = entries.slice(0, cutIndex);
  const isSplitTurn = !beginsTurn(entries, cutIndex);
  const turnStart = isSplitTurn ? summarised.findLastIndex((_, index) => beginsTurn(entries, index)) : -1;
  const at = turnStart === -1 ? summarised.length : turnStart;
  return {
    history: messagesOf(summarised.slice(0, at)),
    prefix: messagesOf(summarised.slice(at)),
    isSplitTurn,
  };
}

function messagesOf(entries: readonly ContextEntry[]): readonly AgentMessage[] {
  return entries.flatMap(({ messages }) => messages).filter(({ role }) => role !== "compactionSummary");
}

function previousSummaryOf(entries: readonly ContextEntry[]): string | undefined {
  const first = entries[0]?.messages[0];
  return first?.role === "compactionSummary" ? first.summary : undefined;
}

/** True when the kept part holds the end of the split turn and the beginning of another. */
function hasLaterTurn(kept: readonly ContextEntry[]): boolean {
  const messages = messagesOf(kept);
  const finished = messages.findIndex(isFinishedAnswer);
  return finished !== -1 && messages.slice(finished).some(({ role }) => role === "user");
}

function isFinishedAnswer(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "stop";
}

/** What the user said since the last finished answer; where that was summarised before, what that summary quotes. */
function newestRequestOf(
  summarised: readonly ContextEntry[],
  previousSummary: string | undefined,
  allowanceTokens: number,
): string | undefined {
  const messages = messagesOf(summarised);
  const finished = messages.findLastIndex(isFinishedAnswer);
  const spoken = messages
    .slice(finished + 1)
    .flatMap((message) => (message.role === "user" ? [textOf(message.content).trim()] : []))
    .filter((text) => text !== "");
  const carried =
    finished === -1 && previousSummary !== undefined
      ? codeBlockOf(previousSummary, "newest-request")
      : undefined;
  const request = [...(carried === undefined ? [] : [carried]), ...spoken].join("\n\n");
  // Half the allowance, at four characters a token.
  return request === "" ? undefined : clipMiddle(request, allowanceTokens * 2);
}

function tokensOf(entries: readonly ContextEntry[], estimator: TokenEstimator | undefined): number {
  return entries
    .flatMap(({ messages }) => messages)
    .reduce((sum, message) => sum + estimateTokens(message, estimator), 0);
}

function tooLarge(input: PrepareCompactionInput, keptTokens: number, room: Room): CompactionError {
  return new CompactionError({
    code: "input_too_large",
    message: `What must stay verbatim takes about ${keptTokens} tokens beside ${room.overhead} for system prompt and tools: that does not fit a window of ${usableWindow(input.contextWindow)}.`,
    data: { keptTokens, overheadTokens: room.overhead, triggerTokens: room.trigger },
  });
}
