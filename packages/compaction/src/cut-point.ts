import type { ContextEntry } from "@coppice/session";
import { estimateAll } from "./estimate.ts";
import type { TokenEstimator } from "./estimate-text.ts";
import { messagesOf } from "./messages-of.ts";
import { beginsTurn, firstUnseenInput, mayBeginKept, splitPairs } from "./turns.ts";

/** Where a history is cut: everything before `cutIndex` is summarised, the rest stays verbatim. */
export interface CutPoint {
  /** The entry at `cutIndex`. */
  readonly firstKeptEntryId: string;
  /** Index into the projected entries. */
  readonly cutIndex: number;
  /** Estimate of all entries. */
  readonly tokensBefore: number;
  /** Estimate of the kept entries. */
  readonly tokensAfter: number;
  /** True when the kept part begins in the middle of a turn. */
  readonly isSplitTurn: boolean;
}

export interface FindCutPointInput {
  /** The projection, oldest first; a compaction stands first if there is one. */
  readonly entries: readonly ContextEntry[];
  readonly keepRecentTokens: number;
  /** User turns to keep whole where they take at most `maxKeepTokens`. */
  readonly minTurnsToKeep?: number;
  /** Most that whole turns may take; default twice `keepRecentTokens`. */
  readonly maxKeepTokens?: number;
  readonly estimator?: TokenEstimator;
}

/**
 * The cut that keeps about `keepRecentTokens`; undefined when nothing could be summarised.
 *
 * A call and its results stay on one side, input that no answer has followed is kept, and the kept part is never empty.
 */
export function findCutPoint(input: FindCutPointInput): CutPoint | undefined {
  const { entries, estimator, keepRecentTokens } = input;
  const maxKeepTokens = input.maxKeepTokens ?? keepRecentTokens * 2;
  const kept = keptTokensByIndex(entries, estimator);
  const wanted = firstWithin(kept, keepRecentTokens);
  const earliest = firstWithin(kept, Math.max(keepRecentTokens, maxKeepTokens));
  let cuts = validCuts(entries, earliest);
  // No cut keeps so little: the newest one before that. Only then the whole history is looked through.
  if (!cuts.some((index) => index >= wanted)) cuts = validCuts(entries, 0);
  const byTokens = cuts.find((index) => index >= wanted) ?? cuts.at(-1);
  if (byTokens === undefined) return undefined;
  const cutIndex = widenToTurns({ ...input, maxKeepTokens, cuts, kept, cutIndex: byTokens });
  const firstKept = entries[cutIndex];
  if (firstKept === undefined || cutIndex <= firstCuttable(entries)) return undefined;
  return {
    firstKeptEntryId: firstKept.entry.id,
    cutIndex,
    tokensBefore: kept[0] ?? 0,
    tokensAfter: kept[cutIndex] ?? 0,
    isSplitTurn: !beginsTurn(entries, cutIndex),
  };
}

/** The cut before a given entry; undefined where that entry is not there or nothing stands before it. */
export function cutPointAt(
  entries: readonly ContextEntry[],
  firstKeptEntryId: string,
  estimator?: TokenEstimator,
): CutPoint | undefined {
  const cutIndex = entries.findIndex(({ entry }) => entry.id === firstKeptEntryId);
  if (cutIndex <= firstCuttable(entries)) return undefined;
  const kept = keptTokensByIndex(entries, estimator);
  return {
    firstKeptEntryId,
    cutIndex,
    tokensBefore: kept[0] ?? 0,
    tokensAfter: kept[cutIndex] ?? 0,
    isSplitTurn: !beginsTurn(entries, cutIndex),
  };
}

/** The earliest index from which on at most so many tokens stand; walked from the end, since little is kept of much. */
function firstWithin(kept: Float64Array, maxTokens: number): number {
  let index = kept.length - 1;
  while (index > 0 && (kept[index - 1] as number) <= maxTokens) index--;
  return index;
}

/** Tokens from each index to the end; one longer than `entries`. */
function keptTokensByIndex(
  entries: readonly ContextEntry[],
  estimator: TokenEstimator | undefined,
): Float64Array {
  const kept = new Float64Array(entries.length + 1);
  const { sizes } = estimateAll(messagesOf(entries), estimator);
  let tokens = 0;
  let at = sizes.length;
  for (let index = entries.length - 1; index >= 0; index--) {
    const count = entries[index]?.messages.length ?? 0;
    for (let left = count; left > 0; left--) tokens += sizes[--at] ?? 0;
    kept[index] = tokens;
  }
  return kept;
}

/** Index of the first entry that a cut may put away: the summary that the new one replaces does not count. */
function firstCuttable(entries: readonly ContextEntry[]): number {
  const first = entries[0];
  return first?.entry.type === "compaction" && first.messages.length === 1 ? 1 : 0;
}

/** Where a cut may be, at `from` or later; rising. */
function validCuts(entries: readonly ContextEntry[], from: number): readonly number[] {
  const splits = splitPairs(entries, from);
  const last = Math.min(firstUnseenInput(entries), entries.length - 1);
  const cuts: number[] = [];
  for (let index = Math.max(from, firstCuttable(entries) + 1); index <= last; index++) {
    const entry = entries[index];
    if (entry !== undefined && splits[index] === 0 && mayBeginKept(entry)) cuts.push(index);
  }
  return cuts;
}

/** Moves a cut back so that the wanted number of turns stays whole, if that fits. */
function widenToTurns(
  input: FindCutPointInput & {
    readonly maxKeepTokens: number;
    readonly cuts: readonly number[];
    readonly kept: Float64Array;
    readonly cutIndex: number;
  },
): number {
  const { entries, minTurnsToKeep = 0, maxKeepTokens, cuts, kept, cutIndex } = input;
  if (minTurnsToKeep === 0) return cutIndex;
  const turns = newestTurnStarts(entries, minTurnsToKeep);
  const fits = (index: number) =>
    index < cutIndex && (kept[index] ?? 0) <= maxKeepTokens && cuts.includes(index);
  const [wanted] = turns;
  if (wanted !== undefined && fits(wanted)) return wanted;
  return turns.findLast(fits) ?? cutIndex;
}

/** Indices of the user messages that begin the newest `count` turns, oldest first. */
function newestTurnStarts(entries: readonly ContextEntry[], count: number): readonly number[] {
  const starts: number[] = [];
  for (let index = entries.length - 1; index >= 0 && starts.length < count; index--) {
    if (entries[index]?.messages[0]?.role === "user") starts.unshift(index);
  }
  return starts;
}
