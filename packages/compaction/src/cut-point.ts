import type { ContextEntry } from "@coppice/session";
import { estimateTokens } from "./estimate.ts";
import type { TokenEstimator } from "./estimate-text.ts";
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
  const kept = keptTokensByIndex(entries, estimator);
  const cuts = validCuts(entries);
  const wanted = kept.findIndex((tokens) => tokens <= keepRecentTokens);
  const byTokens = cuts.find((index) => index >= wanted) ?? cuts.at(-1);
  if (byTokens === undefined) return undefined;
  const cutIndex = widenToTurns({ ...input, cuts, kept, cutIndex: byTokens });
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

/** Tokens from each index to the end; one longer than `entries`. */
function keptTokensByIndex(
  entries: readonly ContextEntry[],
  estimator: TokenEstimator | undefined,
): readonly number[] {
  const kept: number[] = new Array(entries.length + 1).fill(0);
  for (let index = entries.length - 1; index >= 0; index--) {
    let tokens = kept[index + 1] ?? 0;
    for (const message of entries[index]?.messages ?? []) tokens += estimateTokens(message, estimator);
    kept[index] = tokens;
  }
  return kept;
}

/** Index of the first entry that a cut may put away: the summary that the new one replaces does not count. */
function firstCuttable(entries: readonly ContextEntry[]): number {
  const first = entries[0];
  return first?.entry.type === "compaction" && first.messages.length === 1 ? 1 : 0;
}

function validCuts(entries: readonly ContextEntry[]): readonly number[] {
  const splits = splitPairs(entries);
  const last = Math.min(firstUnseenInput(entries), entries.length - 1);
  const cuts: number[] = [];
  entries.forEach((entry, index) => {
    if (index > firstCuttable(entries) && index <= last && !splits[index] && mayBeginKept(entry))
      cuts.push(index);
  });
  return cuts;
}

/** Moves a cut back so that the wanted number of turns stays whole, if that fits. */
function widenToTurns(
  input: FindCutPointInput & {
    readonly cuts: readonly number[];
    readonly kept: readonly number[];
    readonly cutIndex: number;
  },
): number {
  const { entries, minTurnsToKeep = 0, keepRecentTokens, cuts, kept, cutIndex } = input;
  if (minTurnsToKeep === 0) return cutIndex;
  const maxKeepTokens = input.maxKeepTokens ?? keepRecentTokens * 2;
  const turns = userTurnStarts(entries);
  const wanted = turns[Math.max(0, turns.length - minTurnsToKeep)];
  const fits = (index: number) =>
    index < cutIndex && (kept[index] ?? 0) <= maxKeepTokens && cuts.includes(index);
  if (wanted !== undefined && fits(wanted)) return wanted;
  return turns.findLast((index) => index >= (wanted ?? 0) && fits(index)) ?? cutIndex;
}

function userTurnStarts(entries: readonly ContextEntry[]): readonly number[] {
  return entries.flatMap(({ messages }, index) => (messages[0]?.role === "user" ? [index] : []));
}
